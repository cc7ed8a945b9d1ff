import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `What is coded anew` {
    /// A file whose content can be taken away while it goes on looking unchanged.
    private struct Film {
        private let folder: TestFolder
        let path: String
        private let time = Date(timeIntervalSince1970: 1_700_000_000)

        init() throws {
            folder = try TestFolder()
            path = try Clip(seconds: 9, container: "matroska", videoCodec: "libvpx", audioCodec: "flac").write(
                in: folder
            )
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
        }

        /// Puts zeros in place of all packets but the first.
        func empty() throws {
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            let size = try file.seekToEnd()
            try file.seek(toOffset: size / 8)
            try file.write(contentsOf: Data(count: Int(size - size / 8)))
            try file.close()
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
        }

        func opened(keptCoding: Int) throws -> Presentation {
            try Presentation.open(path: path, caching: .init(codedBytes: keptCoding), cancellation: Cancellation())
        }
    }

    private func segments(_ presentation: Presentation) throws -> [[UInt8]] {
        try presentation.plan.segments.indices.map {
            try presentation.segment($0, of: .full, in: .fmp4, cancellation: Cancellation())
        }
    }

    @Test func `to know its size is coded once, and delivered`() throws {
        let film = try Film()
        let made = try segments(film.opened(keptCoding: 0))
        let (kept, unkept) = (try film.opened(keptCoding: 1 << 20), try film.opened(keptCoding: 0))
        for presentation in [kept, unkept] {
            let tracks = try presentation.rendition(.full, in: .fmp4).tracks
            #expect(tracks.map { $0.treatment == .copy } == [false, false])
        }
        try film.empty()
        #expect(try segments(kept) == made)
        #expect((try? segments(unkept)) != made)
    }
}
