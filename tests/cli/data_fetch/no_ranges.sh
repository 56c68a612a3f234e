# SPDX-License-Identifier: MIT
# A server that cannot go on in the middle is asked for the whole.
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
"$OTHERWISE" data fetch credit --to sets --from "$url/whole/"
