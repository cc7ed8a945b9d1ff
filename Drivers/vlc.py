#!/usr/bin/env -S python3 -B
from segue_drivers.vlc import main

main()
