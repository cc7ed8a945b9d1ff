package import SegueConcurrency
internal import CSegueFFmpeg
internal import Foundation
package import SegueBase

/// A demuxer for one file.
///
/// One thread uses it at a time; a pool may pass it between threads.
package final class MediaInput: @unchecked Sendable {
    // Sendable: no state is bound to a thread, and the owner never uses it from two threads at once.

    /// The path, or a name for in-memory bytes, for messages.
    package let name: String
    /// libav's name of the container (`mov,mp4,m4a,3gp,3g2,mj2`, `matroska,webm`, `mpegts`).
    package let formatName: String
    /// The streams, as described by the container and by libav's probing.
    package private(set) var streams: [StreamInfo] = []
    /// The container's tags, with lowercase keys.
    package let metadata: [String: String]
    /// The declared duration, in seconds.
    package let duration: Rational?
    /// The declared first timestamp, in seconds.
    package let start: Rational?
    /// The declared total bit rate, in bits per second; 0 if unknown.
    package let bitRate: Int64
    /// True if the format allows timestamp jumps, as broadcast streams do.
    package let allowsDiscontinuities: Bool

    let context: UnsafeMutablePointer<AVFormatContext>
    private let interrupt: InterruptBox
    private let bytes: any InputBytes
    /// The pauses in the edit list of each stream that has some.
    private var pauses: [Int: [EditPauses.Pause]] = [:]

    /// Opens and probes a file.
    ///
    /// A fragmented movie that is cut off, or still being written, ends with its last complete fragment.
    ///
    /// - Parameters:
    ///   - path: The file; never interpreted as a URL.
    ///   - format: libav's name of the container, if known; nil probes.
    ///   - options: libav's options for the demuxer.
    ///   - cancellation: Cancels the opening and all later calls until it is replaced.
    /// - Throws: ``MediaError`` naming the call that failed.
    package convenience init(
        path: String,
        format: String? = nil,
        options: [String: String] = [:],
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) {
        let pauses = EditPauses(path: path)
        let open = { (end: Int64?) throws(MediaError) -> OpenedInput in
            startLibAV()
            let interrupt = InterruptBox(cancellation)
            let bytes: any InputBytes
            if let pauses, let patched = HollowFile(path, patches: pauses.patches, isParsed: true) {
                bytes = patched
            } else {
                bytes = try PlainFile(path, upTo: end, interrupt)
            }
            return try OpenedInput(
                name: path,
                url: "file:" + path,
                bytes: bytes,
                format: format,
                options: options,
                interrupt: interrupt
            )
        }
        let opened: OpenedInput
        do throws(MediaError) {
            opened = try open(nil)
        } catch {
            guard error.isInvalidData, let end = TopLevelBoxes(path: path)?.fragmentEnd else { throw error }
            opened = try open(end)
        }
        self.init(opened, name: path)
        use(pauses)
        readProjections(ofFileAt: path)
    }

    /// Opens a file to read its index; after ``stopReadingContent()``, packets come without content.
    ///
    /// - Parameters:
    ///   - patches: Replacements for bytes of the file.
    ///   - cancellation: Cancels the opening and all later calls until it is replaced.
    /// - Throws: ``MediaError`` naming the call that failed.
    package convenience init(
        forIndexOf path: String,
        patches: [FilePatch] = [],
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) {
        let pauses = EditPauses(path: path)
        // Without content there is nothing to parse; the container's index is authoritative.
        guard let file = HollowFile(path, patches: patches + (pauses?.patches ?? []), isParsed: false) else {
            throw MediaError(call: "open", file: path, message: String(cString: strerror(errno)))
        }
        let opened = try OpenedInput(
            name: path,
            url: path,
            bytes: file,
            format: nil,
            options: [:],
            interrupt: InterruptBox(cancellation)
        )
        self.init(opened, name: path)
        use(pauses)
    }

    /// Switches to packets with zeros for content, without reading the file.
    ///
    /// This is valid only if the container's headers describe all packets.
    package func stopReadingContent() {
        guard let file = bytes as? HollowFile else { return }
        file.stopReading()
    }

    /// Opens bytes in memory as a file.
    package convenience init(
        bytes: [UInt8],
        name: String,
        format: String? = nil,
        options: [String: String] = [:],
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) {
        let opened = try OpenedInput(
            name: name,
            url: name,
            bytes: MemoryBytes(bytes),
            format: format,
            options: options,
            interrupt: InterruptBox(cancellation)
        )
        self.init(opened, name: name)
    }

    /// Opens a stream of byte chunks that is read once, front to back.
    ///
    /// - Parameters:
    ///   - pieces: Returns the next chunk; nil at the end and after it.
    ///   - name: The name for messages.
    ///   - format: libav's name of the container, if known; nil probes.
    ///   - cancellation: Cancels the opening and all later calls until it is replaced.
    /// - Throws: ``MediaError`` naming the call that failed.
    package convenience init(
        pieces: @escaping () -> [UInt8]?,
        name: String,
        format: String? = nil,
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) {
        let opened = try OpenedInput(
            name: name,
            url: name,
            bytes: StreamedBytes(pieces),
            format: format,
            options: [:],
            interrupt: InterruptBox(cancellation)
        )
        self.init(opened, name: name)
    }

    private init(_ opened: OpenedInput, name: String) {
        context = opened.context
        self.name = name
        bytes = opened.bytes
        interrupt = opened.interrupt
        formatName = String(cString: context.pointee.iformat.pointee.name)
        metadata = Metadata.all(of: context, isOgg: formatName == "ogg")
        duration = context.pointee.duration > 0 ? Rational(context.pointee.duration, 1_000_000) : nil
        start = context.pointee.start_time == ffs_no_timestamp ? nil : Rational(context.pointee.start_time, 1_000_000)
        bitRate = context.pointee.bit_rate
        allowsDiscontinuities = context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
        streams = readStreams()
    }

    deinit {
        var closing: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&closing)
        bytes.close()
    }

    private func use(_ found: EditPauses?) {
        guard let found else { return }
        for stream in streams { pauses[stream.index] = found.tracks[stream.containerID] }
    }

    /// The number of file bytes read so far.
    package var bytesRead: Int64 {
        if let file = bytes as? HollowFile { return file.bytesRead }
        return context.pointee.pb?.pointee.bytes_read ?? 0
    }

    /// Sets the cancellation for all later calls.
    package func use(_ cancellation: Cancellation) { interrupt.cancellation = cancellation }

    /// The number of streams found so far.
    package var streamCount: Int { Int(context.pointee.nb_streams) }

    /// Replaces stream descriptions, by stream index, with more exact ones.
    package func correct(_ infos: [Int: StreamInfo]) {
        streams = streams.map { infos[$0.index] ?? $0 }
    }

    /// The container's chapters in file order, up to `most`.
    package func chapters(most: Int) -> [MediaChapter] {
        let unit = AVRational(num: 1, den: 1_000_000)
        return (0..<min(most, Int(context.pointee.nb_chapters))).compactMap { number in
            guard let chapter = context.pointee.chapters[number]?.pointee, chapter.time_base.num > 0,
                chapter.time_base.den > 0, chapter.start != ffs_no_timestamp, chapter.end != ffs_no_timestamp
            else { return nil }
            let start = av_rescale_q(chapter.start, chapter.time_base, unit)
            let end = av_rescale_q(chapter.end, chapter.time_base, unit)
            return MediaChapter(start: start, end: end, title: Metadata.value("title", in: chapter.metadata))
        }
    }

    private func readStreams() -> [StreamInfo] {
        var programs: [Int: [Int]] = [:]
        for number in 0..<Int(context.pointee.nb_programs) {
            guard let program = context.pointee.programs[number]?.pointee else { continue }
            for entry in 0..<Int(program.nb_stream_indexes) {
                programs[Int(program.stream_index[entry]), default: []].append(Int(program.id))
            }
        }
        return (0..<streamCount).compactMap { index in
            context.pointee.streams[index].map { StreamInfo(reading: $0, programs: programs[index] ?? []) }
        }
    }

    /// Reads the next packet of an enabled stream; returns false at the end of the file.
    ///
    /// Reading may continue after any error but a cancellation.
    package func read(into packet: Packet) throws(MediaError) -> Bool {
        av_packet_unref(packet.pointer)
        interrupt.begin()
        let code = av_read_frame(context, packet.pointer)
        if interrupt.isCancelled {
            throw MediaError(call: "av_read_frame", file: name, code: ffs_error_exit, message: "cancelled")
        }
        // A call stopped earlier leaves its error in libav's reader.
        if interrupt.hasReadTooMuch || code == ffs_error_exit { throw OpenedInput.emptyStretch("av_read_frame", name) }
        if code == ffs_error_eof { return false }
        try check(code, call: "av_read_frame", file: name)
        if let pauses = pauses[packet.streamIndex], let time = packet.pts ?? packet.dts {
            let sum = pauses.sum(at: time)
            (packet.pts, packet.dts) = (packet.pts.map { $0 + sum }, packet.dts.map { $0 + sum })
        }
        MediaWork.count()
        return true
    }

    /// Reads only these streams; the demuxer skips the others if it can.
    package func keepOnly(streams kept: Set<Int>) {
        for index in 0..<streamCount {
            context.pointee.streams[index]?.pointee.discard = kept.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Seeks to the last keyframe (with `anyFrame`, any frame) of a stream at or before a time in its time base.
    package func seek(to time: Int64, stream: Int, anyFrame: Bool = false) throws(MediaError) {
        interrupt.begin()
        let flags = AVSEEK_FLAG_BACKWARD | (anyFrame ? AVSEEK_FLAG_ANY : 0)
        let time = pauses[stream]?.withoutPauses(time) ?? time
        try check(av_seek_frame(context, Int32(stream), time, flags), call: "av_seek_frame", file: name)
    }

    package func seek(toByte position: Int64) throws(MediaError) {
        interrupt.begin()
        try check(av_seek_frame(context, -1, position, AVSEEK_FLAG_BYTE), call: "av_seek_frame", file: name)
    }

    /// The demuxer's index of a stream: decode time, byte position, size, and keyframe flag.
    package func indexEntries(stream: Int) -> [(time: Int64, position: Int64, size: Int, isKey: Bool)] {
        guard stream < streamCount, let pointer = context.pointee.streams[stream] else { return [] }
        return (0..<avformat_index_get_entries_count(pointer)).compactMap { number in
            avformat_index_get_entry(pointer, number).map {
                ($0.pointee.timestamp, $0.pointee.pos, Int($0.pointee.size), $0.pointee.flags & AVINDEX_KEYFRAME != 0)
            }
        }
    }
}
