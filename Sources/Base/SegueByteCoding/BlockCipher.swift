internal import CSegueLibCrypto

/// AES-128 in CBC mode with PKCS #7 padding, as HLS encrypts whole segments (RFC 8216, 4.3.2.4).
package enum BlockCipher {
    /// Why bytes could not be decrypted or encrypted.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private static let blockSize = 16

    /// What was encrypted.
    ///
    /// - Parameters:
    ///   - bytes: Whole blocks, the last one with its padding.
    ///   - key: 16 bytes.
    ///   - vector: 16 bytes, combined with the first block.
    /// - Returns: The bytes without the padding.
    /// - Throws: ``Failure`` when the sizes are wrong, or the padding is, as with another key.
    package static func decrypt(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) throws(Failure) -> [UInt8] {
        guard !bytes.isEmpty, bytes.count % blockSize == 0 else {
            throw Failure(description: "\(bytes.count) bytes are not whole blocks of \(blockSize)")
        }
        return try run(bytes, key: key, vector: vector, isEncrypting: false)
    }

    /// Bytes encrypted, for those who make test streams.
    ///
    /// - Throws: ``Failure`` when the sizes are wrong.
    package static func encrypt(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) throws(Failure) -> [UInt8] {
        try run(bytes, key: key, vector: vector, isEncrypting: true)
    }

    private static func run(
        _ bytes: [UInt8],
        key: [UInt8],
        vector: [UInt8],
        isEncrypting: Bool
    ) throws(Failure) -> [UInt8] {
        guard key.count == blockSize, vector.count == blockSize else {
            throw Failure(description: "the key has \(key.count) bytes and the vector \(vector.count), not 16")
        }
        guard bytes.count < Int(Int32.max) - blockSize, let context = EVP_CIPHER_CTX_new() else {
            throw Failure(description: "there is no memory for \(bytes.count) bytes")
        }
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_CipherInit_ex(context, EVP_aes_128_cbc(), nil, key, vector, isEncrypting ? 1 : 0) == 1 else {
            throw Failure(description: "OpenSSL has no AES-128-CBC")
        }
        var isWhole = false
        let result = [UInt8](unsafeUninitializedCapacity: bytes.count + blockSize) { output, count in
            var (most, last): (Int32, Int32) = (0, 0)
            guard EVP_CipherUpdate(context, output.baseAddress, &most, bytes, Int32(bytes.count)) == 1 else { return }
            isWhole = EVP_CipherFinal_ex(context, output.baseAddress.map { $0 + Int(most) }, &last) == 1
            count = Int(most + last)
        }
        guard isWhole else {
            // What OpenSSL noted for this thread is said here, and not to be found by others.
            ERR_clear_error()
            throw Failure(description: "the padding is wrong, as it is with another key or vector")
        }
        return result
    }
}
