import Foundation
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueOrigin

@Suite struct `Media library` {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        for name in ["movies/a b.mp4", "music/it's \"loud\".mp3", "music/two\nlines.flac", "song.m4a"] {
            try make(name)
        }
    }

    @Test func `finds media in all folders, whatever their names`() throws {
        let library = try Library(roots: [folder.path])
        #expect(
            library.items.map(\.path) == [
                "movies/a b.mp4", "music/it's \"loud\".mp3", "music/two\nlines.flac", "song.m4a",
            ]
        )
        #expect(library.items.map(\.folder) == ["movies", "music", "music", ""])
        #expect(library.items.map(\.name) == ["a b", "it's \"loud\"", "two\nlines", "song"])
        #expect(library.passedOver.isEmpty)
    }

    @Test func `hidden files and known other types are not items`() throws {
        for name in [".hidden.mp4", ".folder/in.mp4", "notes.txt", "cover.JPG", "movies/a b.srt"] { try make(name) }
        #expect(try Library(roots: [folder.path]).items.count == 4)
    }

    @Test func `ids are stable across runs and locations`() throws {
        let first = try Library(roots: [folder.path])
        let copy = try TestFolder()
        try FileManager.default.copyItem(atPath: folder.file("movies"), toPath: copy.file("movies"))
        let second = try Library(roots: [copy.path])
        #expect(second.items[0].id == first.items[0].id)
        #expect(Set(first.items.map(\.id)).count == 4)
        #expect(first.item(first.items[2].id) == first.items[2])
        #expect(first.item("nothing") == nil)
        #expect(first.items.allSatisfy { $0.id.utf8.count == 12 })
    }

    @Test func `the same path below two roots gives two items`() throws {
        let other = try TestFolder()
        _ = try other.write([1], to: "song.m4a")
        let library = try Library(roots: [folder.path, other.path, folder.path])
        #expect(library.items.count == 5)
        #expect(Set(library.items.map(\.id)).count == 5)
    }

    @Test func `a name that is not UTF-8 can be listed and opened`() throws {
        let name = Array(folder.path.utf8) + Array("/caf".utf8) + [0xE9] + Array(".mp3".utf8)
        let file = try #require(fopen(name.map { CChar(bitPattern: $0) } + [0], "w"))
        fputs("sound", file)
        fclose(file)
        let library = try Library(roots: [folder.path])
        let item = try #require(library.items.first { $0.name == "caf\u{FFFD}" })
        #expect(FileManager.default.contents(atPath: item.filePath) == Data("sound".utf8))
        #expect(item.filePath.hasSuffix(".mp3"))
        #expect(library.isPresent(item))
        library.rescan()
        #expect(library.item(item.id) == item)
        library.close()
        #expect(!FileManager.default.fileExists(atPath: item.filePath))
    }

    @Test func `links within the root are items, links out of it are not`() throws {
        let outside = try TestFolder()
        _ = try outside.write([1], to: "secret.mp4")
        let link = { (name: String, target: String) in
            try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
        }
        try link("inside.m4a", "song.m4a")
        try link("outside.mp4", outside.file("secret.mp4"))
        try link("climbing.mp4", "../\((outside.path as NSString).lastPathComponent)/secret.mp4")
        try link("folder", outside.path)
        try link("loop", ".")
        try link("dead.mp4", "nowhere.mp4")
        let library = try Library(roots: [folder.path])
        #expect(library.items.map(\.path).contains("inside.m4a"))
        #expect(library.items.count == 5)
        #expect(Set(library.passedOver.map(\.path)) == ["outside.mp4", "climbing.mp4", "folder", "dead.mp4"])
    }

    @Test func `a file that becomes a link out of the root is no longer present`() throws {
        let outside = try TestFolder()
        let secret = try outside.write([1], to: "secret.mp4")
        let library = try Library(roots: [folder.path])
        let item = try #require(library.items.last)
        #expect(library.isPresent(item))
        try FileManager.default.removeItem(atPath: folder.file("song.m4a"))
        #expect(!library.isPresent(item))
        try FileManager.default.createSymbolicLink(atPath: folder.file("song.m4a"), withDestinationPath: secret)
        #expect(!library.isPresent(item))
    }

    @Test func `the program's own files in a served folder are not items`() throws {
        let keep = { [folder] in
            try FileManager.default.createDirectory(atPath: folder.file("kept/ab"), withIntermediateDirectories: true)
            _ = try folder.write([1], to: "kept/ab/segment.ts")
        }
        try keep()
        let outside = try TestFolder()
        _ = try outside.write([1], to: "segment.ts")
        let link = folder.file("linked")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file("kept"))
        #expect(try Library(roots: [folder.path]).items.count == 5)
        let own = [link, outside.path, folder.file("nowhere")]
        let library = try Library(roots: [folder.path], leavingOut: own)
        #expect(library.items.count == 4)
        #expect(library.passedOver.isEmpty)
        try FileManager.default.removeItem(atPath: folder.file("kept"))
        try keep()
        library.rescan()
        #expect(library.items.count == 4)
    }

    @Test func `pipes and sockets are not opened`() throws {
        #expect(mkfifo(folder.file("pipe.mp4"), 0o600) == 0)
        #expect(try Library(roots: [folder.path]).items.count == 4)
    }

    @Test func `a scan stops at its limits and reports that`() {
        let root = LibraryScan.Root(path: Array(folder.path.utf8))
        let few = LibraryScan([root], limits: .init(items: 2, depth: 64))
        #expect(few.found.count == 2)
        #expect(few.passedOver.map(\.reason) == ["more than 2 files", "more than 2 files"])
        let shallow = LibraryScan([root], limits: .init(items: 10, depth: 0))
        #expect(shallow.found.count == 1)
        #expect(Set(shallow.passedOver.map(\.path)) == ["movies", "music"])
    }

    @Test func `a rescan finds new files and drops missing ones`() throws {
        let library = try Library(roots: [folder.path])
        let before = library.items
        try FileManager.default.removeItem(atPath: folder.file("song.m4a"))
        try make("new.mkv")
        library.rescan()
        #expect(library.items.map(\.path).contains("new.mkv"))
        #expect(!library.items.map(\.path).contains("song.m4a"))
        #expect(library.item(before[0].id) == before[0])
    }

    @Test(arguments: ["music", ""], [EMFILE, EACCES, EIO])
    func `unreadable folders keep their items`(unreadable: String, error: Int32) throws {
        let isUnreadable = Mutex(false)
        let path = FileNames.join(Array(folder.path.utf8), Array(unreadable.utf8))
        let library = try Library(roots: [folder.path]) { folder, body in
            guard isUnreadable.withLock({ $0 }), folder == path else { return FileNames.forEachName(in: folder, body) }
            errno = error
            return nil
        }
        let before = library.items
        try FileManager.default.removeItem(atPath: folder.file("song.m4a"))
        try make("movies/new.mkv")
        isUnreadable.withLock { $0 = true }
        library.rescan()
        let expected = unreadable.isEmpty ? before.map(\.path) : before.dropLast().map(\.path) + ["movies/new.mkv"]
        #expect(library.items.map(\.path) == expected.sorted())
        #expect(before.dropLast().allSatisfy { library.item($0.id) == $0 })
        #expect(library.passedOver.map(\.path) == [unreadable])
        isUnreadable.withLock { $0 = false }
        library.rescan()
        #expect(library.items.map(\.path) == (before.dropLast().map(\.path) + ["movies/new.mkv"]).sorted())
        #expect(library.passedOver.isEmpty)
    }

    @Test func `a missing folder does not keep its items`() throws {
        let library = try Library(roots: [folder.path])
        try FileManager.default.removeItem(atPath: folder.file("music"))
        library.rescan()
        #expect(library.items.map(\.path) == ["movies/a b.mp4", "song.m4a"])
    }

    @Test func `unservable folders are named`() throws {
        let expect = { (root: String, reason: LibraryError.Reason) in
            let error = #expect(throws: LibraryError.self) { try Library(roots: [root]) }
            #expect(error?.reason == reason)
            #expect(error?.folder == root)
            #expect(error?.description.contains("\n") == false)
        }
        expect(folder.file("nothing"), .missing)
        expect("", .missing)
        expect(folder.file("song.m4a"), .notAFolder)
    }

    @Test func `a library may consist of one file`() throws {
        let library = try Library(file: Array(folder.file("movies/a b.mp4").utf8))
        #expect(library.items.map(\.path) == ["a b.mp4"])
        let item = try #require(library.items.first)
        #expect(library.isPresent(item) && library.item(item.id) == item)
        try make("movies/c.mp4")
        library.rescan()
        #expect(library.items == [item])
        let missing = #expect(throws: LibraryError.self) { try Library(file: Array(folder.file("x.mp4").utf8)) }
        #expect(missing?.reason == .missing)
        let notAFile = #expect(throws: LibraryError.self) { try Library(file: Array(folder.path.utf8)) }
        #expect(notAFile?.reason == .notAFile)
    }

    private func make(_ name: String) throws {
        let parent = (folder.file(name) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        _ = try folder.write([0], to: name)
    }
}
