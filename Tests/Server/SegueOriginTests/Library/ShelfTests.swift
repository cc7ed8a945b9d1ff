import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `The shelf` {
    /// A WAV file of nothing.
    private static let wave: [UInt8] = {
        let word = { (number: Int, bytes: Int) in (0..<bytes).map { UInt8(number >> (8 * $0) & 255) } }
        let format = word(1, 2) + word(1, 2) + word(8000, 4) + word(16000, 4) + word(2, 2) + word(16, 2)
        let head = Array("RIFF".utf8) + word(36 + 1600, 4) + Array("WAVEfmt ".utf8) + word(16, 4) + format
        return head + Array("data".utf8) + word(1600, 4) + [UInt8](repeating: 0, count: 1600)
    }()

    private func shelf(_ names: [String], in folder: TestFolder) throws -> (Shelf, Library, Catalogue) {
        for name in names { _ = try folder.write(Self.wave, to: name) }
        let library = try Library(roots: [folder.path])
        let catalogue = Catalogue(library: library)
        return (Shelf(library: library, catalogue: catalogue), library, catalogue)
    }

    @Test func `updates one item without the others`() throws {
        let folder = try TestFolder()
        let (shelf, library, catalogue) = try shelf(["a.wav", "b.wav", "c.wav"], in: folder)
        let before = shelf.entries(for: Visitor())
        #expect(before.allSatisfy { $0.traits.added == nil })
        catalogue.look(into: library.items[1], cancellation: Cancellation())
        let after = shelf.entries(for: Visitor())
        #expect(after[0] === before[0] && after[2] === before[2])
        #expect(after[1].traits.added != nil && after[1].traits.duration != nil)
        catalogue.look(into: library.items[2], cancellation: Cancellation())
        #expect(shelf.entries(for: Visitor()).map { $0.traits.added != nil } == [false, true, true])
    }

    @Test func `drops removed items and adds new ones`() throws {
        let folder = try TestFolder()
        let (shelf, library, catalogue) = try shelf(["b.wav", "d.wav"], in: folder)
        for item in library.items { catalogue.look(into: item, cancellation: Cancellation()) }
        #expect(shelf.entries(for: Visitor()).allSatisfy { $0.traits.added != nil })
        catalogue.keepOnly([library.items[1].id])
        #expect(shelf.entries(for: Visitor()).map { $0.traits.added != nil } == [false, true])
        for name in ["a.wav", "c.wav"] { _ = try folder.write(Self.wave, to: name) }
        library.rescan()
        #expect(shelf.entries(for: Visitor()).map(\.item.path) == ["a.wav", "b.wav", "c.wav", "d.wav"])
        catalogue.look(into: library.items[2], cancellation: Cancellation())
        #expect(shelf.entries(for: Visitor()).map { $0.traits.added != nil } == [false, false, true, true])
    }

    @Test func `lists items by title, also after an update`() throws {
        let folder = try TestFolder()
        let (shelf, library, _) = try shelf(["Müller.wav", "The Apple.wav", "Zebra.wav"], in: folder)
        #expect(titles(shelf) == ["The Apple", "Müller", "Zebra"])
        _ = try folder.write(Self.wave, to: "banana.wav")
        library.rescan()
        #expect(titles(shelf) == ["The Apple", "banana", "Müller", "Zebra"])
    }

    private func titles(_ shelf: Shelf) -> [String] {
        shelf.entries(for: Visitor(), byTitle: true).map(\.traits.title)
    }
}
