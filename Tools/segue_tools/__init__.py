"""The tools that prove, measure and package Segue, run by `Tools/run`."""
