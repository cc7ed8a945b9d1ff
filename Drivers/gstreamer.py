#!/usr/bin/python3 -B
from segue_drivers.gstreamer import main

main()
