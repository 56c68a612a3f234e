# SPDX-License-Identifier: MIT
# A message is one line, but on a terminal, whose lines are broken between words.
python3 - "$OTHERWISE" <<'END'
import os
import pty
import sys

def say(columns):
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(COLUMNS=columns, TERM="dumb")
        os.execv(sys.argv[1], ["otherwise", "train", "rows.csv", "--label", "y"])
    text = b""
    try:
        while chunk := os.read(terminal, 4096):
            text += chunk
    except OSError:
        pass
    os.waitpid(child, 0)
    return text.decode().replace("\r", "")

print(say("40"), end="")
print(say("200"), end="")
END
"$OTHERWISE" train rows.csv --label y 2>&1
