import Foundation
import HTTPHosts
import IndexStore
import Origin
import OriginServer
import Packager
import Synthesis

/// A server on the loopback interface with media that are made for it.
struct OwnServer {
    /// Its address, with a slash at the end.
    let base: String
    private let task: Task<Void, any Error>
    private let folder: String

    /// Makes media, and serves them.
    ///
    /// - Throws: ``CommandFailure`` or another error with one line where it cannot.
    static func start() async throws -> OwnServer {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("segue-commands-\(UUID().uuidString)").path
        do {
            let recipes = try RecipeReader.recipes(inFolder: try ProgramData.commandRecipes())
            let made = try MediaMaker(recipes: recipes).makeAll(into: folder, jobs: JobCount.chosen(nil)) { _ in }
            if let failure = made.failures.first { throw CommandFailure("media", "\(failure)") }
            return try await serve(folder)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    private static func serve(_ folder: String) async throws -> OwnServer {
        let responder = Responder(
            library: try Library(roots: [folder]),
            devices: try Devices(in: ProgramData.harness(), and: []),
            hosts: AllowedHosts(listeningOn: "127.0.0.1", named: []),
            page: WebPage { [] }
        )
        let (addresses, came) = AsyncStream.makeStream(of: OriginServer.Address.self)
        let task = Task {
            defer { came.finish() }
            try await OriginServer.run(.init(host: "127.0.0.1"), responder: responder) { came.yield($0) }
        }
        for await address in addresses { return OwnServer(base: "http://\(address)/", task: task, folder: folder) }
        try await task.value
        throw CommandFailure("commands", "a server of its own ended at once")
    }

    /// Ends it, and removes its media.
    func stop() async {
        task.cancel()
        _ = await task.result
        try? FileManager.default.removeItem(atPath: folder)
    }
}
