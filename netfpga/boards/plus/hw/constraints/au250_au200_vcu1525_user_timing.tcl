# The shell's script adds this file for these cards: the place of the path of frames. None is asked for.
