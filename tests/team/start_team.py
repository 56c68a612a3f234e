# SPDX-License-Identifier: MIT
"""Starts processes of the program that work together, over sockets or below a launcher of MPI."""
import os
import random
import socket
import subprocess

LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n"],
             "mpich": ["mpirun.mpich", "-n"]}


def free_port():
    """One below those that the system gives to clients, so that none takes it before process 0 does."""
    while True:
        port = random.randrange(10000, 32768)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def start_team(size, command, folders=None, where=None, before=None):
    """One Popen for each process, process 0 first, each in its folder and behind its words before the command; they
    find each other at an address, or on a port of loopback."""
    where = where or f"127.0.0.1:{free_port()}"
    team = []
    for rank in range(size):
        environment = dict(os.environ, OTHERWISE_SOCKETS=where, OTHERWISE_RANK=str(rank),
                           OTHERWISE_SIZE=str(size))
        team.append(subprocess.Popen((before[rank] if before else []) + command, env=environment, stdout=subprocess.PIPE,
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
