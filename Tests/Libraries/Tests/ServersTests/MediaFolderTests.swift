import Foundation
import SegueMedia
import SeguePlayer
import Testing

/// Segue's own packager behind a world's server.
@MainActor @Suite struct MediaFolderTests {
    /// An uncompressed song of a number of seconds.
    private static func song(seconds: Int) -> Data {
        let rate = 8000, bytes = seconds * rate * 2
        func number(_ value: Int, _ width: Int) -> Data { Data((0..<width).map { UInt8(value >> (8 * $0) & 255) }) }
        var file = Data("RIFF".utf8) + number(36 + bytes, 4) + Data("WAVEfmt ".utf8) + number(16, 4)
        file += number(1, 2) + number(1, 2) + number(rate, 4) + number(rate * 2, 4) + number(2, 2) + number(16, 2)
        file += Data("data".utf8) + number(bytes, 4)
        for sample in 0..<seconds * rate { file += number(Int(9000 * sin(Double(sample) / 3)), 2) }
        return file
    }

    @Test func `a file is played as the server would send it`() async throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("segue-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let albums = folder.appendingPathComponent("album")
        try FileManager.default.createDirectory(at: albums, withIntermediateDirectories: true)
        try Self.song(seconds: 20).write(to: albums.appendingPathComponent("song.wav"))
        let media = try MediaFolder(folder.path)
        #expect(media.files == ["album/song.wav"])
        let url = try media.playlist(of: "album/song.wav", audioOnly: true)
        var stories: [String] = []
        for _ in 0..<2 {
            try await withWorld(network: "3g", server: media.server, patience: .seconds(60)) { world in
                let item = PlayerItem(url: url)
                world.player.insert(item)
                world.player.play()
                try await Task.sleep(for: .seconds(40))
                #expect(item.error == nil && item.hasVideo == false, "\(world.troubles)")
                #expect(abs((item.duration ?? .zero) / .seconds(1) - 20) < 0.2)
                #expect(world.report.heard == item.duration)
                stories.append(world.log)
            }
        }
        #expect(stories[0] == stories[1])
    }

    @Test func `a file that is not there is told with those that are`() throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("segue-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.song(seconds: 1).write(to: folder.appendingPathComponent("a.wav"))
        let media = try MediaFolder(folder.path)
        let error = #expect(throws: MediaFolderError.self) { try media.playlist(of: "b.wav") }
        #expect(error?.description == "b.wav is not in the folder, which contains a.wav")
        #expect(throws: (any Error).self) { try MediaFolder(folder.path, device: "iphone-of-nobody") }
        #expect(throws: (any Error).self) { try MediaFolder(folder.path + "/nowhere") }
    }
}
