# SPDX-License-Identifier: MIT
"""Starts processes of the program that work together, over sockets or below a launcher of MPI."""
import os
import socket
import subprocess

LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n"],
             "mpich": ["mpirun.mpich", "-n"]}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_team(size, command, folders=None):
    """One Popen for each process, process 0 first, each in its folder; they find each other on a port of
    loopback."""
    where = f"127.0.0.1:{free_port()}"
    team = []
    for rank in range(size):
        environment = dict(os.environ, OTHERWISE_SOCKETS=where, OTHERWISE_RANK=str(rank),
                           OTHERWISE_SIZE=str(size))
        team.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True,
                                     cwd=folders[rank] if folders else None))
    return team


def end_team(team, seconds=600):
    """Waits for all; (exit code, output, errors) of each.  None of them is left running."""
    try:
        said = [process.communicate(timeout=seconds) for process in team]
        return [(process.returncode, *words) for process, words in zip(team, said)]
    finally:
        for process in team:
            if process.poll() is None:
                process.kill()
                process.communicate()
