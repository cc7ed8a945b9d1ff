internal import CSegueLibCrypto

/// AES-128 in CBC mode with PKCS #7 padding, the encryption of whole HLS segments (RFC 8216, 4.3.2.4).
package enum BlockCipher {
    /// An error of decryption or encryption.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private static let blockSize = 16

    /// Decrypts bytes.
    ///
    /// - Parameters:
    ///   - bytes: Whole blocks, the last one with padding.
    ///   - key: The key of AES-128, 16 bytes.
    ///   - vector: The initialization vector, 16 bytes.
    /// - Returns: The bytes without padding.
    /// - Throws: ``Failure`` for a wrong size or wrong padding, as with another key.
    package static func decrypt(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) throws(Failure) -> [UInt8] {
        guard !bytes.isEmpty, bytes.count % blockSize == 0 else {
            throw Failure(description: "\(bytes.count) bytes are not a multiple of the block size of \(blockSize)")
        }
        return try run(bytes, key: key, vector: vector, isEncrypting: false)
    }

    /// Encrypts bytes, for test streams.
    ///
    /// - Throws: ``Failure`` for a wrong size.
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
            throw Failure(
                description: "the key has \(key.count) bytes and the vector \(vector.count), both must have 16"
            )
        }
        guard bytes.count < Int(Int32.max) - blockSize, let context = EVP_CIPHER_CTX_new() else {
            throw Failure(description: "out of memory for \(bytes.count) bytes")
        }
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_CipherInit_ex(context, EVP_aes_128_cbc(), nil, key, vector, isEncrypting ? 1 : 0) == 1 else {
            throw Failure(description: "OpenSSL does not provide AES-128-CBC")
        }
        var isWhole = false
        let result = [UInt8](unsafeUninitializedCapacity: bytes.count + blockSize) { output, count in
            var (most, last): (Int32, Int32) = (0, 0)
            guard EVP_CipherUpdate(context, output.baseAddress, &most, bytes, Int32(bytes.count)) == 1 else { return }
            isWhole = EVP_CipherFinal_ex(context, output.baseAddress.map { $0 + Int(most) }, &last) == 1
            count = Int(most + last)
        }
        guard isWhole else {
            // Clears OpenSSL's error queue of this thread for later callers.
            ERR_clear_error()
            throw Failure(description: "the padding is wrong; the key or the vector does not match")
        }
        return result
    }
}
