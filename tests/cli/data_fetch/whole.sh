# SPDX-License-Identifier: MIT
# Both files come, a second call fetches nothing, and no part is left.
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
"$OTHERWISE" data fetch credit --to sets --from "$url/plain/"
"$OTHERWISE" data fetch credit --to sets --from "$url/plain/"
"$OTHERWISE" data list --data sets --check | grep credit
ls sets/credit
