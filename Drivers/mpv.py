#!/usr/bin/env -S python3 -B
from segue_drivers.mpv import main

main()
