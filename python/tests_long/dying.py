# SPDX-License-Identifier: MIT
"""An Explainer that ends a worker in the middle of its work: what an engine does about that."""
import os
import signal

from otherwise import Explainer

pieces = 0   # that this process was given


class Dying(Explainer):
    """Kills the first process that is given a second piece of the table, unless that is the process
    which made this explainer.  Happens once: the file `mark` remembers it."""

    def __init__(self, model, mark):
        super().__init__(model)
        self.mark = mark
        self.spared = os.getpid()

    def explain(self, X, *args, **kwargs):
        global pieces
        if len(X) > 0 and os.getpid() != self.spared:
            pieces += 1
            if pieces == 2:
                try:
                    os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    pass
                else:
                    os.kill(os.getpid(), signal.SIGKILL)
        return super().explain(X, *args, **kwargs)
