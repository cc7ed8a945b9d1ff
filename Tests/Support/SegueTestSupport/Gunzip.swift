internal import SegueByteCoding

/// Unpacks what is in the gzip format.
///
/// - Parameter bytes: What should be in it.
/// - Returns: What was packed; nil for anything else, and for more than 16 MiB.
package func gunzip(_ bytes: [UInt8]) -> [UInt8]? { try? Gzip.expand(bytes, most: 16 << 20) }
