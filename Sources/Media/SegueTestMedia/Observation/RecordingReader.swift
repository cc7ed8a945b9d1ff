internal import SegueBase
package import SegueConcurrency
package import SegueFFmpeg

/// A reader of recordings of screen and audio: frame numbers, and audio positions.
///
/// It works frame by frame and keeps only a few numbers per frame and per audio section.
package struct RecordingReader {
    /// A test file that may occur in the recording.
    package struct Candidate: Sendable {
        package var name: String
        /// The file's content.
        package var piece: SyntheticTruth.Piece

        package init(name: String, piece: SyntheticTruth.Piece) { (self.name, self.piece) = (name, piece) }
    }

    private let candidates: [Candidate]
    /// The title and the track of each voice.
    private var owners: [(title: Int, track: Int)] = []
    private var ear: AudioReader
    private var eye = VideoReader()

    /// Creates a reader for recordings of the given files.
    package init(of candidates: [Candidate]) {
        self.candidates = candidates
        var voices: [AudioVoice] = []
        for (title, candidate) in candidates.enumerated() {
            for (track, audio) in candidate.piece.audioTracks.enumerated() {
                guard let voice = AudioVoice(audio) else { continue }
                voices.append(voice)
                owners.append((title, track))
            }
        }
        ear = AudioReader(voices: voices)
    }

    /// Reads a recording's first video and audio stream; reports the seconds read, and checks the cancellation between
    /// packets.
    package mutating func read(
        _ input: MediaInput,
        cancellation: Cancellation = Cancellation(),
        progress: (Double) -> Void = { _ in }
    ) throws -> Recording {
        let usable = input.streams.filter { $0.canDecode && !$0.isAttachedPicture }
        let chosen = [usable.first { $0.kind == .video }, usable.first { $0.kind == .audio }].compactMap { $0 }
        guard !chosen.isEmpty else {
            throw MediaError(call: "read", file: input.name, message: "the recording has no video or audio")
        }
        input.keepOnly(streams: Set(chosen.map(\.index)))
        let decoders = try chosen.map { ($0, try Decoder(stream: $0, file: input.name, threads: 2)) }
        // Samples before zero are discarded by a decoder.
        let start = max(input.start?.seconds ?? 0, 0)
        let packet = Packet()
        while try !isAtEnd(input, packet) {
            try cancellation.check("observe", file: input.name)
            guard let (stream, decoder) = decoders.first(where: { $0.0.index == packet.streamIndex }) else { continue }
            take(packet, of: stream, by: decoder, start: start)
            progress(max(eye.last ?? 0, ear.last ?? 0))
        }
        for (stream, decoder) in decoders { take(nil, of: stream, by: decoder, start: start) }
        return recording()
    }

    /// A truncated recording is read to its end.
    private func isAtEnd(_ input: MediaInput, _ packet: Packet) throws -> Bool {
        do {
            return try !input.read(into: packet)
        } catch {
            guard eye.last != nil || ear.last != nil else { throw error }
            return true
        }
    }

    /// Decodes a packet; damaged ones are skipped.
    private mutating func take(_ packet: Packet?, of stream: StreamInfo, by decoder: Decoder, start: Double) {
        let unit = stream.timeBase.seconds
        try? decoder.decode(packet) { frame in
            let time = frame.bestEffortTimestamp.map { Double($0) * unit - start }
            if stream.kind == .video {
                eye.see(frame, at: time)
            } else {
                try ear.hear(frame, at: time)
            }
        }
    }

    private mutating func recording() -> Recording {
        let hearings = ear.finished().map { stretch in
            let rate = Double(AudioFollower.rate)
            let owner = owners[stretch.voice]
            var hearing = Recording.Hearing(
                title: owner.title,
                track: owner.track,
                first: ear.start + Double(stretch.first) / rate,
                end: ear.start + Double(stretch.end) / rate,
                source: stretch.start,
                speed: stretch.speed
            )
            hearing.silentBefore = Double(stretch.silentBefore) / rate
            return hearing
        }
        return Recording(
            duration: max((eye.last ?? 0) + eye.interval, ear.last ?? 0),
            frameInterval: eye.interval,
            firstChange: eye.firstChange,
            titles: candidates.map { Recording.Title(name: $0.name, frameTimes: $0.piece.film?.times ?? []) },
            showings: eye.showings,
            hearings: hearings
        )
    }
}
