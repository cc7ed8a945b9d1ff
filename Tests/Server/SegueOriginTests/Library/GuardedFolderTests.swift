import Foundation
import Glibc
import SegueConcurrency
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueOrigin

/// Folders that other programs change while files in them are opened.
@Suite struct `Guarded folders` {
    private let place: TestFolder
    private let inside: String

    init() throws {
        place = try TestFolder()
        inside = place.file("media")
        try FileManager.default.createDirectory(atPath: inside + "/films", withIntermediateDirectories: true)
        _ = try place.write(Array("inside".utf8), to: "media/films/a")
        _ = try place.write(Array("secret".utf8), to: "secret")
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: inside + "/" + name, withDestinationPath: target)
    }

    private func content(_ path: String) -> String? {
        guard let file = ReadableFile.handle(path), let data = try? file.readToEnd() else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    @Test(arguments: [
        ("relative", "films/a", "inside"), ("round", "../media/films/a", "inside"), ("out", "../secret", nil),
        ("missing", "films/b", nil), ("folder", "films", nil), ("device", "/dev/zero", nil),
    ])
    func `a link is followed where it stays inside`(name: String, target: String, expected: String?) throws {
        let folder = GuardedFolder(path: Array(inside.utf8))
        defer { withExtendedLifetime(folder) {} }
        try link(name, to: target)
        #expect(content("\(inside)/\(name)") == expected)
        try link("absolute", to: "\(inside)/\(name)")
        #expect(content("\(inside)/absolute") == expected)
    }

    @Test func `a folder on the way that leads out is refused, and so is a link elsewhere that leads to it`() throws {
        let folder = GuardedFolder(path: Array(inside.utf8))
        defer { withExtendedLifetime(folder) {} }
        try link("up", to: "..")
        #expect(content(inside + "/up/secret") == nil && errno == EXDEV)
        #expect(content(inside + "/up/media/films/a") == "inside")
        let alias = place.file("alias")
        try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: inside + "/films/a")
        #expect(content(alias) == "inside")
        try FileManager.default.removeItem(atPath: inside + "/films/a")
        try link("films/a", to: "../../secret")
        #expect(content(alias) == nil)
    }

    @Test func `a pipe is refused without waiting for a writer`() throws {
        let folder = GuardedFolder(path: Array(inside.utf8))
        defer { withExtendedLifetime(folder) {} }
        #expect(mkfifo(inside + "/pipe", 0o600) == 0)
        #expect(content(inside + "/pipe") == nil)
    }

    @Test func `folders outside and former ones are read as they are`() throws {
        try link("out", to: "../secret")
        do {
            let folders = [GuardedFolder(path: Array(inside.utf8)), GuardedFolder(path: Array(inside.utf8))]
            #expect(content(inside + "/out") == nil && content(place.file("secret")) == "secret")
            withExtendedLifetime(folders) {}
        }
        #expect(content(inside + "/out") == "secret")
        // A sibling whose name continues the folder's is another folder.
        let folder = GuardedFolder(path: Array((inside + "/film").utf8))
        #expect(content(inside + "/films/a") == "inside")
        withExtendedLifetime(folder) {}
    }

    @Test func `a library's files are opened in its folder only, while links are swapped`() throws {
        _ = try place.write(Array("inside".utf8), to: "media/song.mp3")
        let library = try Library(roots: [inside])
        let item = try #require(library.items.first { $0.path == "song.mp3" })
        let isOver = Atomic(false)
        let swaps = Atomic(0)
        let (song, kept, fresh) = (inside + "/song.mp3", inside + "/.kept", inside + "/.fresh")
        #expect(Glibc.link(song, kept) == 0)
        WorkThread.begin("swaps") {
            while !isOver.load(ordering: .relaxed) {
                // The name is replaced at once, by a link out of the folder and by the file in turn.
                symlink("../secret", fresh)
                rename(fresh, song)
                Glibc.link(kept, fresh)
                rename(fresh, song)
                swaps.add(1, ordering: .relaxed)
            }
            isOver.store(false, ordering: .releasing)
        }
        var found: [String?: Int] = [:]
        while swaps.load(ordering: .relaxed) < 2000 || found.count < 2 {
            found[content(item.filePath), default: 0] += 1
        }
        isOver.store(true, ordering: .relaxed)
        while isOver.load(ordering: .acquiring) { usleep(100) }
        #expect(Set(found.keys) == ["inside", nil], "\(found)")
    }
}
