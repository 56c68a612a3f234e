# SPDX-License-Identifier: MIT
# The files are taken out of an archive, from a folder in it too.
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
mkdir packed && cp files/german.* packed
python3 -c "
import sys, zipfile
with zipfile.ZipFile('statlog.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
    archive.write('packed/german.data', 'statlog/german.data')
    archive.write('packed/german.doc', 'german.doc')
    archive.writestr('Index', 'two files')"
kill $server
rm files port && mkdir files && mv statlog.zip files
python3 -B "$SUPPORT/http_server.py" files port &
server=$!
while [ ! -e port ]; do sleep 0.05; done
"$OTHERWISE" data fetch credit --to sets --from "http://127.0.0.1:$(cat port)/plain/statlog.zip"
ls sets/credit
