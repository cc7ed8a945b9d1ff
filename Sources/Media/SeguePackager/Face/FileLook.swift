internal import SegueBase
package import SegueConcurrency
package import SegueFFmpeg

/// A reader of stream descriptions without packets of audio and video.
package enum FileLook {
    /// Opens a file far enough to describe its streams.
    ///
    /// For a long movie, libav sees only the beginning, because it would load a table of all samples. Only packets of
    /// other streams, such as cover art and subtitles, may be read.
    ///
    /// - Throws: ``MediaError``, or ``PackagingError`` if the file lacks its index.
    package static func open(path: String, cancellation: Cancellation) throws -> MediaInput {
        do {
            if let input = try shortened(path, cancellation) { return input }
            return try MediaInput(path: path, cancellation: cancellation)
        } catch {
            guard error.isInvalidData, MovieIndex.isMissing(path: path) else { throw error }
            throw PackagingError.unfinishedMovie(path)
        }
    }

    private static func shortened(_ path: String, _ cancellation: Cancellation) throws(MediaError) -> MediaInput? {
        do {
            guard MovieIndex.isComplete(path: path) else { return nil }
            let tables = try MovieTables(path: path)
            guard tables.sampleCount >= MovieIndex.longMovie else { return nil }
            let patches = try ShortMovie(tables).patches
            let input = try MediaInput(forIndexOf: path, patches: patches, cancellation: cancellation)
            var infos: [Int: StreamInfo] = [:]
            for info in input.streams {
                guard let track = tables.tracks.first(where: { $0.id == info.containerID }) else { continue }
                let (size, length) = try tables.sums(of: track)
                infos[info.index] = track.described(info, size: size, length: length)
            }
            input.correct(infos)
            return input
        } catch let error as MediaError {
            if error.isCancelled { throw error }
            return nil
        } catch {
            return nil
        }
    }
}

extension MovieTables {
    /// The total size and duration of a track's samples, in bytes and track units.
    fileprivate func sums(of track: Track) throws -> (size: Int64, length: Int64) {
        var (size, length, place) = (Int64(0), Int64(0), 0)
        while place < track.sizes.count {
            let sizes = try reader.words(
                at: track.sizes.start + Int64(4 * place),
                count: min(8192, track.sizes.count - place)
            )
            size = sizes.reduce(size) { $0 + Int64($1) }
            place += sizes.count
        }
        place = 0
        while place < track.durations.count {
            let count = min(4096, track.durations.count - place)
            let entries = try reader.words(at: track.durations.start + Int64(8 * place), count: 2 * count)
            for entry in 0..<count {
                let samples = Int64(entries[2 * entry]) * Int64(entries[2 * entry + 1] & 0x3fff_ffff)
                length = length.addingReportingOverflow(samples).partialValue
            }
            place += count
        }
        return (size, max(1, length))
    }

    /// The total number of samples of all tracks.
    var sampleCount: Int { tracks.reduce(0) { $0 + $1.sizes.count } }
}

extension MovieTables.Track {
    /// The displayed part of a track's duration, in track units.
    func shownLength(of length: Int64) -> Int64 {
        let length = min(duration, length)
        return min(length, edit.map { $0.pause + $0.length } ?? length)
    }

    /// Extends libav's description of the beginning to the whole stream.
    func described(_ info: StreamInfo, size: Int64, length: Int64) -> StreamInfo {
        let rate = Rational(timescale * Int64(sizes.count)) / Rational(max(1, length))
        return info.with(
            averageFrameRate: info.kind == .video ? rate : info.averageFrameRate,
            bitRate: Int64(clamping: Int128(size) * 8 * Int128(timescale) / Int128(max(1, min(duration, length)))),
            duration: Rational(shownLength(of: length), timescale)
        )
    }
}
