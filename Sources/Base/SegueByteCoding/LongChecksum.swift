internal import CSegueLibCrypto
internal import Glibc

/// An incremental SHA-256.
package final class LongChecksum {
    /// An error of the checksum.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private let context: OpaquePointer

    /// Creates a checksum of no bytes.
    ///
    /// - Throws: ``Failure`` if OpenSSL is out of memory or provides no SHA-256.
    package init() throws(Failure) {
        guard let context = EVP_MD_CTX_new() else { throw Failure(description: "out of memory for a checksum") }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw Failure(description: "OpenSSL does not provide SHA-256")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package func add(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw Failure(description: "OpenSSL failed to update the SHA-256")
        }
    }

    /// Ends the checksum and returns it in hexadecimal; nothing can be added afterwards.
    package func digits() throws(Failure) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else {
            throw Failure(description: "OpenSSL failed to finish the SHA-256")
        }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns the SHA-256 of a file in hexadecimal, reading one MiB at a time.
    ///
    /// - Parameters:
    ///   - progress: Called after each MiB.
    /// - Returns: 64 digits.
    /// - Throws: ``Failure`` if the file cannot be read to its end.
    package static func ofFile(at path: String, _ progress: () -> Void = {}) throws(Failure) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(description: "\(path): open: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let sum = try LongChecksum()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(file, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(description: "\(path): read: \(String(cString: strerror(errno)))") }
            guard count > 0 else { return try sum.digits() }
            try sum.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            progress()
        }
    }
}
