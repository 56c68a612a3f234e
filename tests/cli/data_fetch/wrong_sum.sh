# SPDX-License-Identifier: MIT
# Other bytes under the right name are refused, and nothing is left of them.
mkdir files
head -c 79793 /dev/zero | tr '\0' x >files/german.data
head -c 4679 /dev/zero | tr '\0' x >files/german.doc
python3 -B "$SUPPORT/http_server.py" files port &
server=$!
trap 'kill $server' EXIT
while [ ! -e port ]; do sleep 0.05; done
url=http://127.0.0.1:$(cat port)
"$OTHERWISE" data fetch credit --to sets --from "$url/plain/" 2>complaint
code=$?
sed "s|$url|URL|g" complaint
ls sets/credit
exit $code
