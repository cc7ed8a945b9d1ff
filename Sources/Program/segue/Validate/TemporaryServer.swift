import Foundation
import SegueAccess
import SegueOrigin
import SeguePackager
import SegueServer
import SegueStores
import SegueTestMedia

/// A temporary server on the loopback interface with generated media.
struct TemporaryServer {
    /// Its address with the key.
    let base: ServerBase
    private let task: Task<Void, any Error>
    private let folder: String

    /// Generates media and serves them.
    ///
    /// - Throws: ``CommandFailure`` or another one-line error.
    static func start() async throws -> TemporaryServer {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("segue-commands-\(UUID().uuidString)").path
        do {
            let recipes = try RecipeReader.recipes(inFolder: try ProgramData.commandRecipes())
            let made = try MediaMaker(recipes: recipes).makeAll(into: folder + "/media", jobs: JobCount.chosen(nil)) {
                _ in
            }
            if let failure = made.failures.first { throw CommandFailure("media", "\(failure)") }
            return try await serve(folder, AccessKey.make())
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// Limits that no command reaches, since the commands must not depend on the speed of the machine.
    private static let unlimited = AddressAllowance(
        connections: 1_000_000,
        requests: 1_000_000,
        rate: 1_000_000,
        burst: 1_000_000,
        encodings: 1_000_000
    )

    private static func serve(_ folder: String, _ key: AccessKey) async throws -> TemporaryServer {
        let page = try ProgramData.page()
        let responder = try Responder(library: Library(roots: [folder + "/media"])) {
            $0.devices = try Devices(in: ProgramData.harness(), and: [])
            $0.hosts = AllowedHosts(listeningOn: "127.0.0.1", named: [])
            $0.page = try WebPage(files: page) { [] }
        }
        let store = try AccessStore(folder: folder + "/data")
        try store.add(key, name: "commands", grant: KeyGrant(), now: 0)
        var configuration = OriginServer.Configuration(host: "127.0.0.1")
        configuration.fairness.allowance = unlimited
        configuration.door = try AccessGate(AccessGate.Rules(isOpen: false), guarded: (store, page))
        let (addresses, came) = AsyncStream.makeStream(of: OriginServer.Address.self)
        let task = Task { [configuration] in
            defer { came.finish() }
            try await OriginServer.run(configuration, responder: responder) { came.yield($0) }
        }
        for await address in addresses {
            let base = try ServerBase("http://\(address)/k/\(key.text)/")
            return TemporaryServer(base: base, task: task, folder: folder)
        }
        try await task.value
        throw CommandFailure("commands", "the temporary server ended at once")
    }

    /// Stops the server and deletes its media.
    func stop() async {
        task.cancel()
        _ = await task.result
        try? FileManager.default.removeItem(atPath: folder)
    }
}
