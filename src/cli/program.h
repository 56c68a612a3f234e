/* SPDX-License-Identifier: MIT */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

/* Runs the command that the words of the command line ask for; returns the exit code. */
int program_run(int argc, char **argv);

#endif
