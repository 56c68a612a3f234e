# SPDX-License-Identifier: MIT
# What an earlier call left is the beginning; a beginning of something else is found out by its sum.
if [ ! -e "${PUBLISHED-/nowhere}/credit/german.doc" ]; then
    echo "the published files of credit are not in OTHERWISE_DATA" >&2
    exit 77
fi
ln -s "$PUBLISHED/credit" files
python3 -B "$SUPPORT/http_server.py" files port &
server=$!
trap 'kill $server' EXIT
while [ ! -e port ]; do sleep 0.05; done
url=http://127.0.0.1:$(cat port)
mkdir -p sets/credit
head -c 50000 files/german.data >sets/credit/german.data.part
"$OTHERWISE" data fetch credit --to sets --from "$url/plain/"
mkdir -p again/credit
head -c 50000 /dev/zero >again/credit/german.data.part
"$OTHERWISE" data fetch credit --to again --from "$url/plain/" 2>complaint
echo $?
sed "s|$url|URL|g" complaint
"$OTHERWISE" data fetch credit --to again --from "$url/plain/"
