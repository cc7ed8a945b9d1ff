// A playlist's parts, and what stands in their declarations, are imported with the library.
@_exported public import struct SegueBase.Rational
@_exported public import enum SegueConformance.Profile
@_exported public import enum SegueConformance.Severity
@_exported public import SeguePlaylists
