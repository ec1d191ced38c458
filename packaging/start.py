#!python
# A program of the wheel: starts wpipe, the file with all programs, under the name of this script. Wheels cannot hold links.
import os
import sys

here, name = os.path.split(os.path.realpath(__file__))
os.execv(os.path.join(here, "wpipe"), [name, *sys.argv[1:]])
