#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processes that train together: the same model file as one alone, and one sentence for all when something
goes wrong.

    check_team.py PROGRAM CASE

CASE is the name of a function below, without its "check_".
"""
import csv
import os
import random
import signal
import struct
import sys
import tempfile
import time
from pathlib import Path

from start_team import end_team, start_team

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from interrupt import processor_seconds  # noqa: E402  (found through the line above)

PROGRAM = Path(sys.argv[1]).resolve()
# Small enough that nobody waits, but with everything that the processes share.
TRAIN = [str(PROGRAM), "train", "--label", "risk", "--threads", "1", "--epochs", "2"]
N_ROWS = 6000  # several chunks, and held out rows for Adam


def require(holds, *words):
    if not holds:
        sys.exit(" ".join(str(word) for word in words))


def make_rows():
    """Three columns, with gaps, and a label that hangs on them."""
    draw = random.Random(7)
    rows = []
    for _ in range(N_ROWS):
        age, job = draw.randrange(20, 70), draw.choice(("none", "part", "full"))
        amount = round(draw.lognormvariate(7, 1), 2)
        bad = draw.random() < (0.7 if job == "none" else 0.2) + (0.2 if amount > 2000 else 0.0)
        rows.append(f"{age},{job},{amount if draw.random() > 0.05 else ''},{'bad' if bad else 'good'}\n")
    return rows


def write_whole(folder):
    path = folder / "whole.csv"
    path.write_text("age,job,amount,risk\n" + "".join(make_rows()))
    return str(path)


def write_parts(folder, cuts=(0, 170, 400, 401, N_ROWS)):
    """The same rows as part-0.csv, part-1.csv, ...; the pattern that names them."""
    header, rows = "age,job,amount,risk\n", make_rows()
    for i, (first, end) in enumerate(zip(cuts, cuts[1:])):
        (folder / f"part-{i}.csv").write_text(header + "".join(rows[first:end]))
    return str(folder / "part-*.csv")


def train(size, data, model, *more):
    return end_team(start_team(size, TRAIN + [data, "-o", str(model), *more]))


def check_bytes(folder):
    """1, 2, 3 and 5 processes, the whole file and its parts: one model file."""
    alone = folder / "alone.ow"
    whole, parts = write_whole(folder), write_parts(folder)
    train_alone = end_team(start_team(1, TRAIN + [whole, "-o", str(alone)]))
    require(train_alone[0][0] == 0, train_alone[0])
    for size in (2, 3, 5):
        together = folder / f"{size}.ow"
        data = parts if size == 3 else whole
        said = train(size, data, together, "--threads", "2" if size == 2 else "1")
        require(all(code == 0 for code, _, _ in said), said)
        require(together.read_bytes() == alone.read_bytes(), size, "processes: another model")
        require(said[0][1] and not any(out or err for _, out, err in said[1:]),
                "not process 0 alone has spoken", said)


def without_figures(rows):
    """The last digit of a probability depends on the rows that it was computed with."""
    return [row.rsplit(",", 2)[0] for row in rows]


def rows_without_time(folder):
    """rows.csv of an evaluation; how long it took is never the same."""
    with open(folder / "rows.csv", newline="") as table:
        return [{name: cell for name, cell in row.items() if name != "time_mean"} for row in csv.DictReader(table)]


def check_evaluations(folder):
    """A folder for each part, as one process makes it; one without its last file is made again, others are kept."""
    model, parts = folder / "m.ow", write_parts(folder)
    trained = end_team(start_team(1, TRAIN + [parts, "-o", str(model)]))
    require(trained[0][0] == 0, trained)
    evaluate = [str(PROGRAM), "evaluate", str(model), "--target", "good", "--limit", "5", "--methods", "nearest",
                "--background", str(folder / "part-1.csv"), "-q"]
    together = evaluate + [parts, "-o", str(folder / "compared-%d")]
    for _ in range(2):
        pages = [folder / f"compared-{i}" / "index.html" for i in range(4)]
        kept = [page.exists() and page.stat().st_mtime_ns for page in pages]
        said = end_team(start_team(2, together))
        require(all(code in (0, 1) and not out for code, out, _ in said), said)
        require(all(page.exists() for page in pages), "a part was not evaluated")
        require(all(before in (False, page.stat().st_mtime_ns) for before, page in zip(kept, pages)),
                "a part that was there is evaluated again")
        pages[1].unlink()
    for i in range(4):
        alone = end_team(start_team(1, evaluate + [str(folder / f"part-{i}.csv"), "-o", str(folder / "alone")]))
        require(alone[0][0] in (0, 1) and alone[0][1], alone)
        require(rows_without_time(folder / "alone") == rows_without_time(folder / f"compared-{i}"),
                "part", i, "is evaluated otherwise by two processes")
    whose = end_team(start_team(1, together + ["--answers", f"x={folder / 'part-1.csv'}", "-o", str(folder / "x-%d")]))
    require(whose[0][0] == 2 and "--answers" in whose[0][2], whose)


def check_outputs(folder):
    """Predictions of parts, each by one of two processes, are those of the whole; what is there is kept."""
    model, whole, parts = folder / "m.ow", write_whole(folder), write_parts(folder)
    trained = end_team(start_team(1, TRAIN + [whole, "-o", str(model)]))
    require(trained[0][0] == 0, trained)
    predict = [str(PROGRAM), "predict", str(model), "--format", "csv", "-q"]
    alone = end_team(start_team(1, predict + [whole]))[0][1].splitlines()
    outputs = [folder / f"out-{i}.csv" for i in range(4)]
    together = predict + [parts, "-o", str(folder / "out-%d.csv")]
    for _ in range(2):
        said = end_team(start_team(2, together))
        require(all(code == 0 for code, _, _ in said), said)
        rows = [line for output in outputs for line in output.read_text().splitlines()[1:]]
        require(without_figures(rows) == without_figures(alone[1:]),
                "parts are predicted otherwise than the whole")
        outputs[2].unlink()
        outputs[0].write_text(alone[0] + "\n" + "\n".join(alone[1:171]) + "\n")
        kept = outputs[0].stat().st_mtime_ns
    require(outputs[0].stat().st_mtime_ns == kept, "a part that was there is written again")
    one = end_team(start_team(2, predict + [parts]))
    require(all(code == 2 for code, _, _ in one) and "%d" in one[0][2], one)


def one_sentence(said, folder, *words):
    """All have failed, one line tells why, and nothing is written."""
    errors = [line for _, _, err in said for line in err.splitlines()
              if "warning" not in line and "note" not in line]
    require(all(code != 0 for code, _, _ in said), "somebody did not fail", said)
    require(len(errors) == 1, "not one sentence:", errors)
    require(all(word in errors[0] for word in words), errors, "does not tell", words)
    require(not list(folder.glob("**/*.ow*")), "something was written")


def check_bad_parts(folder):
    """A ragged line, another header, a file that cannot be opened."""
    parts = write_parts(folder)
    whole = end_team(start_team(1, [str(PROGRAM), "schema", write_whole(folder), "--label", "risk", "--json", "-q"]))
    same = end_team(start_team(1, [str(PROGRAM), "schema", parts, "--label", "risk", "--json", "-q"]))
    require(same[0][0] == 0 and same == whole, "parts have another schema", same, whole)
    last = folder / "part-3.csv"
    good = last.read_text()
    last.write_text(good.replace("\n", "\nno,row\n", 1))
    one_sentence(train(3, parts, folder / "m.ow"), folder, "part-3.csv:2")
    last.write_text(good.replace("age", "years", 1))
    one_sentence(train(3, parts, folder / "m.ow"), folder, "part-3.csv", "years")
    last.unlink()
    last.symlink_to(folder / "nowhere")
    one_sentence(train(3, parts, folder / "m.ow"), folder, "part-3.csv")


def check_shares(folder):
    """Each process reads ranges of the files: line ends in quotes do not matter, and what has to be told of a row
    under a schema given is told once, with its line."""
    path, schema = folder / "quoted.csv", folder / "schema.json"
    remarks = ('"two\nlines"', "none", '"5,part,3,bad\n6,full,2,good"')
    lines = make_rows()
    good = "remark,age,job,amount,risk\n" + "".join(f"{remarks[i % 3]},{line}" for i, line in enumerate(lines))
    path.write_text(good)
    written = end_team(start_team(1, [str(PROGRAM), "schema", str(path), "--label", "risk", "-q", "-o", str(schema)]))
    require(written[0][0] == 0, written)
    with_schema = [str(PROGRAM), "train", "--schema", str(schema), "--threads", "1", "--epochs", "1", str(path), "-o"]
    for wrong, fails in (("", False), ("one,30,astronaut,1000,good\n", False), ("one,30,none,much,good\n", True)):
        path.write_text(good + wrong + good.split("\n", 1)[1])
        line = good.count("\n") + 1
        alone, together = folder / "alone.ow", folder / "together.ow"
        first = end_team(start_team(1, with_schema + [str(alone)]))[0]
        said = end_team(start_team(3, with_schema + [str(together)]))
        require((first[0] != 0) == fails and (f"quoted.csv:{line}" in first[2]) == bool(wrong), first)
        if fails:
            one_sentence(said, folder, f"quoted.csv:{line}", "much")
            continue
        require(all(code == 0 for code, _, _ in said), said)
        require(together.read_bytes() == alone.read_bytes(), "another model after", wrong)
        warnings = [[text for text in err.splitlines() if "warning" in text] for err in (first[2], said[0][2])]
        require(warnings[0] == warnings[1] and not any(err for _, _, err in said[1:]), said)
        alone.unlink()
        together.unlink()


def write_eventful(path, n_rows):
    """A table whose columns turn out to be something else further down: texts and words among numbers, numbers below 0,
    more values than are counted, texts by the thousand, links that end, categories spread over columns, line ends in
    quotes, rows without a label."""
    draw = random.Random(3)
    lines = ["# made here\nnumber,count,late,word,price,day,city,id,edu,edu_num,soil_1,soil_2,soil_3,remark,y\n"]
    for i in range(n_rows):
        edu, soil = draw.randrange(9), draw.randrange(4)
        lines.append(",".join((
            f"{draw.gauss(3, 1) if i < n_rows * 0.7 else draw.gauss(0, 9):.4f}", str(i + 1),
            "" if i < n_rows / 2 else f"{draw.random():.3f}", draw.choice(("n/a", "none")) if draw.random() < 0.02 else
            str(draw.randrange(7000)), f'"${draw.randrange(1, 9)},{draw.randrange(1000):03d}.50"',
            f"{draw.randrange(1950, 2020)}-{draw.randrange(1, 13):02d}-{draw.randrange(1, 28):02d}",
            f"city {int(draw.paretovariate(0.7)) % 40000}", f"id {i * 7919 % n_rows}", f"level {edu}",
            str(edu + 1 if i != n_rows * 2 // 3 else 77), *(str(int(soil == k)) for k in range(3)),
            '"two\n""lines"""' if i % 50 == 7 else "plain", draw.choice(("yes", "no")) if i % 900 else "")) + "\n")
    path.write_text("".join(lines))


def check_schema(folder):
    """Processes that share the rows find the schema of one alone, byte for byte, and what it tells with its lines."""
    path, whole = folder / "table.csv", write_whole(folder)
    write_eventful(path, 12000)
    made, header, *rows = path.read_text().split("\n", 2)
    cut = rows[0].index("plain,yes\n", len(rows[0]) // 3) + len("plain,yes\n")
    (folder / "a-0.csv").write_text(made + "\n" + header + "\n" + rows[0][:cut])
    (folder / "a-1.csv").write_text(header + "\n" + rows[0][cut:])
    for data, label in (whole, "risk"), (path, "y"), (folder / "a-*.csv", "y"):
        infer = [str(PROGRAM), "schema", str(data), "--label", label, "--json"]
        alone = end_team(start_team(1, infer))[0]
        require(alone[0] == 0 and len(alone[1]) > 500, alone)
        for size in (2, 3, 5):
            said = end_team(start_team(size, infer + ["--count-bytes"]))
            counts = [line for line in said[0][2].splitlines() if " exchanges, " in line]
            told = "".join(line for line in said[0][2].splitlines(True) if line[:-1] not in counts)
            require(all(code == 0 for code, _, _ in said), said)
            require(said[0][1] == alone[1], size, "processes find another schema in", data)
            require(told == alone[2], "other messages:", told, "instead of", alone[2])
            require(not any(out or err for _, out, err in said[1:]), "not process 0 alone has spoken", said)
            require(int(counts[0].split(": ")[-1].split()[0]) > 8, "the rows are not shared", counts)
    written = end_team(start_team(2, [str(PROGRAM), "schema", whole, "--label", "risk", "-q", "-o",
                                      str(folder / "schema.json")]))
    require(all(code == 0 for code, _, _ in written) and not written[1][1], written)
    piped = end_team(start_team(2, [str(PROGRAM), "schema", "-", "--label", "risk"]))
    require(all(code == 2 for code, _, _ in piped) and "standard input" in piped[0][2], piped)


def check_arrays(folder):
    """Rows of NPY and IDX files, with labels in a file of their own, are shared as well."""
    draw = random.Random(5)
    n, table, images, labels = 5000, folder / "table.npy", folder / "images.idx", folder / "labels.idx"
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({n}, 4), }}".ljust(117) + "\n"
    numbers = [value for _ in range(n) for value in (draw.gauss(0, 1), draw.randrange(9), draw.random() / 3,
                                                     draw.randrange(2))]
    table.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
                      + struct.pack(f"<{4 * n}d", *numbers))
    classes = bytes(draw.randrange(2) for _ in range(n))
    images.write_bytes(struct.pack(">BBBBIII", 0, 0, 8, 3, n, 4, 4)
                       + bytes(draw.randrange(200) + 40 * c for c in classes for _ in range(16)))
    labels.write_bytes(struct.pack(">BBBBI", 0, 0, 8, 1, n) + classes)
    infer = [str(PROGRAM), "schema", str(table), "--label", "x3", "--json", "--count-bytes"]
    alone, said = end_team(start_team(1, infer))[0], end_team(start_team(3, infer))
    require(alone[0] == 0 and said[0][1] == alone[1], "another schema", said, alone)
    require(int(said[0][2].split(": ")[-1].split()[0]) > 8, "the rows are not shared", said)
    for data, more in (table, ("--label", "x3")), (images, ("--labels", str(labels), "--label", "label")):
        train_it = [str(PROGRAM), "train", str(data), *more, "--threads", "1", "--epochs", "1", "-o"]
        models = [folder / "1.ow", folder / "3.ow"]
        for size, model in zip((1, 3), models):
            said = end_team(start_team(size, train_it + [str(model)]))
            require(all(code == 0 for code, _, _ in said), said)
        require(models[0].read_bytes() == models[1].read_bytes(), "another model of", data)


def check_other_rows(folder):
    """A process that sees other rows than the others."""
    for rank, cuts in enumerate(((0, N_ROWS), (0, N_ROWS - 1))):
        (folder / str(rank)).mkdir()
        write_parts(folder / str(rank), cuts)
    team = start_team(2, TRAIN + ["part-0.csv", "-o", "m.ow"],
                      folders=[folder / "0", folder / "1"])
    one_sentence(end_team(team), folder, "other rows")


def check_full_disk(folder):
    one_sentence(train(2, write_whole(folder), "/dev/full"), folder, "/dev/full")


def wait_for_work(team, seconds):
    """Until each process has had so much of the processor, which it gets when all have come together."""
    while any(process.poll() is None and processor_seconds(process.pid) < seconds for process in team):
        time.sleep(0.02)


def check_lost(folder):
    """Any process is killed at some moment; the last is stopped and says nothing any more."""
    draw, whole = random.Random(1), write_whole(folder)
    for lost, how in (0, signal.SIGKILL), (1, signal.SIGKILL), (2, signal.SIGKILL), (2, signal.SIGSTOP):
        # Seconds of processor time for each, so that nobody is done before it happens.  A process that has
        # ended is missed at once, whatever --wait says.
        team = start_team(3, TRAIN + [whole, "-o", str(folder / "m.ow"), "--tune", "--epochs", "300",
                                      "--wait", "5" if how == signal.SIGSTOP else "600"])
        wait_for_work(team, 0.2 + draw.random() / 2)
        team[lost].send_signal(how)
        if how == signal.SIGSTOP:
            others = end_team([process for process in team if process is not team[lost]])
            team[lost].kill()
            end_team([team[lost]])
        else:
            others = end_team(team)
        one_sentence(others, folder, f"process {lost} of 3")


def check_refused(folder):
    """What is not for several, and a launcher without its plugin."""
    said = end_team(start_team(2, [str(PROGRAM), "inspect", "m.ow"]))
    one_sentence(said, folder, "start it once")
    os.environ.update(OMPI_COMM_WORLD_RANK="0", OMPI_COMM_WORLD_SIZE="2",
                      OTHERWISE_PLUGINS=str(folder))
    alone = end_team(start_team(1, TRAIN + ["no.csv", "-o", str(folder / "m.ow"),
                                            "--mpi", "none-such"]))
    one_sentence(alone, folder, "libotherwise-mpi-none-such.so")


def main():
    with tempfile.TemporaryDirectory(prefix="ow-team-") as folder:
        globals()["check_" + sys.argv[2]](Path(folder))


if __name__ == "__main__":
    main()
