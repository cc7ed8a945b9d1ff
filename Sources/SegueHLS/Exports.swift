// A playlist's parts, and what stands in their declarations, are imported with the library.
@_exported public import HLS
@_exported public import enum Conformance.Profile
@_exported public import enum Conformance.Severity
@_exported public import struct Timeline.Rational
