import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import Synchronization
import Testing

@testable import SegueOrigin

@Suite struct `The catalogue` {
    /// A store in memory with prepared results.
    private final class Keeper: IndexKeeping {
        let all = Mutex<[String: (file: FileIdentity, bytes: [UInt8])]>([:])

        func kept(_ part: String, of file: FileIdentity) -> [UInt8]? {
            all.withLock { all in all[file.path + part].flatMap { $0.file == file ? $0.bytes : nil } }
        }

        func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity) {
            all.withLock { $0[file.path + part] = (file, bytes) }
        }
    }

    /// A counter of scans.
    private final class Looks: FileWork {
        private let own = OwnFileWork()
        private let counted = Mutex(0)
        var count: Int { counted.withLock { $0 } }
        var report: FileWorkReport? { nil }

        func look(into path: String, cancellation: Cancellation) throws -> MediaDescription {
            counted.withLock { $0 += 1 }
            return try own.look(into: path, cancellation: cancellation)
        }

        func open(
            _ identity: FileIdentity,
            for device: DeviceProfile,
            in container: SegmentContainer?,
            cancellation: Cancellation
        ) throws(PackagingError) -> any Presenting {
            try own.open(identity, for: device, in: container, cancellation: cancellation)
        }

        func artwork(of path: String, _ wish: ArtworkWish, cancellation: Cancellation) throws -> [UInt8] {
            try own.artwork(of: path, wish, cancellation: cancellation)
        }

        func radio(
            _ format: RadioFormat,
            emit: @escaping ([UInt8]) throws -> Void
        ) throws -> any RadioPlaying { try own.radio(format, emit: emit) }
    }

    @Test func `knows the results of a previous run without a scan`() throws {
        let served = try ServedFolder()
        let library = served.responder.library
        let (keeper, first, second) = (Keeper(), Looks(), Looks())
        let before = Catalogue(library: library, work: first, keeper: keeper)
        let after = Catalogue(library: library, work: second, keeper: keeper)
        var known = 0
        for item in library.items {
            let found = before.look(into: item, cancellation: Cancellation())
            let again = after.look(into: item, cancellation: Cancellation())
            switch (found, again) {
            case (.known(let facts), .known(let same)):
                known += 1
                #expect(facts.tags == same.tags && facts.duration == same.duration && facts.kind == same.kind)
                #expect(facts.added == same.added && facts.streams.map(\.codec) == same.streams.map(\.codec))
                #expect(facts.streams.map(\.width) == same.streams.map(\.width))
            case (.failed(let code, _), .failed(let same, _)): #expect(code == same)
            default: Issue.record("\(item.path): \(found), then \(again)")
            }
        }
        #expect(known > 2)
        // A file that is not media is scanned again; an empty one never is.
        #expect(first.count == known + 1 && second.count == 1)
    }

    @Test func `rejects damaged results, and those of another file`() throws {
        let served = try ServedFolder()
        let (library, item) = (served.responder.library, try served.item("films/film.mp4"))
        let (keeper, looks) = (Keeper(), Looks())
        let look = {
            Catalogue(library: library, work: looks, keeper: keeper).look(into: item, cancellation: Cancellation())
        }
        guard case .known(let facts) = look() else {
            Issue.record("the film is not known")
            return
        }
        #expect(facts.tags.title == "A <film> & more")
        let damages: [([UInt8]) -> [UInt8]] = [
            { _ in [] },
            { Array($0.dropLast()) },
            { $0.map { $0 ^ 1 } },
            { bytes in bytes.enumerated().map { $0.offset == bytes.count / 2 ? $0.element &+ 1 : $0.element } },
        ]
        for (number, damage) in damages.enumerated() {
            keeper.all.withLock { all in all = all.mapValues { ($0.file, damage($0.bytes)) } }
            guard case .known(let found) = look() else {
                Issue.record("the film is not known")
                return
            }
            #expect(found.tags == facts.tags && looks.count == number + 2)
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 9)],
            ofItemAtPath: item.filePath
        )
        _ = look()
        #expect(looks.count == damages.count + 2)
    }
}
