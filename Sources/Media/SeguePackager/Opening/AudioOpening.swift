internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// Makes tracks of a file's streams of audio: copied where players take them, else transcoded.
struct AudioOpening {
    let file: String
    let index: FileIndex
    let recipient: Recipient
    let pool: InputPool
    let cancellation: Cancellation

    /// What becomes of a file's streams of audio.
    struct Choice {
        /// The best that can be served; an error says why none can, nil that there is none.
        var best: Result<AudioTrack, PackagingError>?
        /// The others that may be served, in order.
        var others: [Int] = []
        /// The streams that cannot be served, and why.
        var refused: [Int: PackagingError] = [:]
    }

    /// Makes the first track that can be served; the streams after it are only looked at.
    ///
    /// - Parameter candidates: The streams of audio, the best first.
    /// - Returns: What becomes of each.
    /// - Throws: ``PackagingError`` if it is cancelled.
    func choose(from candidates: [StreamIndex]) throws -> Choice {
        var choice = Choice()
        for candidate in candidates {
            let number = candidate.info.index
            do {
                if case .success(let best) = choice.best {
                    // What belongs to another programme of a broadcast is no other audio of this one.
                    let programs = best.stream.programs
                    guard programs.isEmpty || !Set(programs).isDisjoint(with: candidate.info.programs) else {
                        throw PackagingError(.noSound, file: file, "it belongs to another programme of the broadcast")
                    }
                    try check(candidate)
                    choice.others.append(number)
                } else {
                    choice.best = .success(try track(of: candidate))
                }
            } catch let error as PackagingError {
                if error.reason == .cancelled { throw error }
                choice.best = choice.best ?? .failure(error)
                choice.refused[number] = error
            }
        }
        return choice
    }

    /// The track of a stream.
    ///
    /// One that is transcoded is decoded once from beginning to end.
    ///
    /// - Throws: ``PackagingError`` with the reason why it cannot be served.
    func track(of stream: StreamIndex) throws -> AudioTrack {
        try check(stream)
        let reason: String
        switch recipient.coding(of: stream) {
        case .success(let coding):
            if let track = AudioTrack(copying: stream, as: coding) { return track }
            reason = "none of its packets is heard"
        case .failure(let obstacle): reason = obstacle.words
        }
        let reader = PacketReader(file: file, index: index, pool: pool, cancellation: cancellation)
        let map: AudioMap
        let limits = recipient.device.soundLimits
        do {
            map = try pool.findings.value(
                "sound/\(stream.info.index)\(limits == .standard ? "" : " \(limits)")",
                read: { KeptIndex.soundMap($0, of: stream, limits: limits) },
                write: KeptIndex.bytes(of:),
                find: { try AudioMap.make(stream, limits: limits, reader: reader) }
            )
        } catch {
            throw PackagingError.wrapping(error, file: file)
        }
        guard let track = AudioTrack(transcoding: stream, map: map, reason: reason) else {
            throw PackagingError(
                .nothingPlayable,
                file: file,
                "decoding its sound (\(stream.info.codec)) gives nothing"
            )
        }
        return track
    }

    /// Refuses a stream that nobody can read.
    private func check(_ stream: StreamIndex) throws(PackagingError) {
        if stream.isEncrypted { throw PackagingError(.encrypted, file: file, "its sound is encrypted") }
        guard stream.info.canDecode || (try? recipient.coding(of: stream).get()) != nil else {
            throw PackagingError(
                .nothingPlayable,
                file: file,
                "its sound is \(stream.info.codecWords), for which libav has no decoder"
            )
        }
    }
}

extension StreamInfo {
    /// What to call the codec: libav's name, else the container's.
    var codecWords: String {
        guard codec == "none" else { return codec }
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: codecTag >> ($0 * 8)) }
        let isPlain = letters.allSatisfy { (33..<127).contains($0) }
        return isPlain ? "‘\(String(decoding: letters, as: UTF8.self))’" : "of an unknown kind"
    }
}
