// The library re-exports the playlist types and the types of their declarations.
@_exported public import struct SegueBase.Rational
@_exported public import enum SegueConformance.Profile
@_exported public import enum SegueConformance.Severity
@_exported public import SeguePlaylists
