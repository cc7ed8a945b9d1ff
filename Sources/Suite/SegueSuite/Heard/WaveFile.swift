internal import Foundation

/// A writer of 16-bit WAV files; beyond 4 GiB the file becomes RF64 (EBU Tech 3306).
final class WaveFile {
    /// The sample rate.
    let rate: Int

    let channels: Int

    /// The number of written samples per channel.
    private(set) var count: Int64 = 0

    private let file: FileHandle
    private var waiting: [UInt8] = []
    private static let headerLength = 80

    /// Creates an empty file, replacing an existing one.
    ///
    /// - Throws: The system's error when it cannot be written.
    init(path: String, rate: Int, channels: Int) throws {
        self.rate = rate
        self.channels = channels
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw HeardAudioError("\(path) cannot be written") }
        self.file = file
        try file.write(contentsOf: [UInt8](repeating: 0, count: WaveFile.headerLength))
    }

    /// Appends samples from -1 to 1 by channel; louder ones are clipped, and NaN becomes silence.
    func write(_ samples: [[Float]]) throws {
        guard let length = samples.first?.count else { return }
        for index in 0..<length {
            for channel in 0..<channels {
                let sample = samples[channel][index]
                let value = sample.isNaN ? 0 : Int16(min(max((sample * 32768).rounded(), -32768), 32767))
                waiting.append(UInt8(truncatingIfNeeded: value))
                waiting.append(UInt8(truncatingIfNeeded: value >> 8))
            }
        }
        count += Int64(length)
        if waiting.count >= 1 << 18 { try flush() }
    }

    func writeSilence(_ length: Int64) throws {
        var left = length
        while left > 0 {
            let part = min(left, 1 << 15)
            waiting += [UInt8](repeating: 0, count: Int(part) * channels * 2)
            count += part
            left -= part
            if waiting.count >= 1 << 18 { try flush() }
        }
    }

    /// Writes the remaining samples and the header.
    func close() throws {
        try flush()
        try file.seek(toOffset: 0)
        try file.write(contentsOf: header)
        try file.close()
    }

    private func flush() throws {
        try file.write(contentsOf: waiting)
        waiting.removeAll(keepingCapacity: true)
    }

    private var header: [UInt8] {
        let bytes = UInt64(count) * UInt64(channels) * 2
        let whole = bytes + UInt64(WaveFile.headerLength) - 8
        let isLong = whole > UInt64(UInt32.max)
        func small(_ value: UInt64) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        func large(_ value: UInt64) -> [UInt8] { small(value) + small(value >> 32) }
        func half(_ value: Int) -> [UInt8] {
            [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        var header = Array((isLong ? "RF64" : "RIFF").utf8) + small(isLong ? UInt64(UInt32.max) : whole)
        // Short files fill the place of the 64-bit sizes with a JUNK chunk.
        header += Array("WAVE".utf8) + Array((isLong ? "ds64" : "JUNK").utf8) + small(28)
        header +=
            isLong ? large(whole) + large(bytes) + large(UInt64(count)) + small(0) : [UInt8](repeating: 0, count: 28)
        header += Array("fmt ".utf8) + small(16) + half(1) + half(channels) + small(UInt64(rate))
        header += small(UInt64(rate * channels * 2)) + half(channels * 2) + half(16)
        header += Array("data".utf8) + small(isLong ? UInt64(UInt32.max) : bytes)
        return header
    }
}

extension HeardAudio {
    /// Returns whether a file name is one for WAV: it ends in `.wav` or `.wave`, or has no extension.
    package static func isFileName(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return true }
        return ["wav", "wave"].contains(name[name.index(after: dot)...].lowercased())
    }
}
