import SegueOrigin
import SegueServer
import SegueWorkers

/// Applies a changed configuration file to a running server.
struct ServeChange: Sendable {
    /// The command that started the server.
    let command: ServeCommand
    let listeningOn: String
    let connections: Int
    let security: ServerSecurity
    let library: Library
    let processes: WorkerProcesses?
    let handle: ServerHandle

    /// Applies the settings of a command that can change while the server runs.
    ///
    /// - Throws: ``CommandFailure``, after restoring all settings.
    func apply(_ new: ServeCommand) throws {
        var access = command.access
        (access.allowHost, access.allowOrigin) = (new.access.allowHost, new.access.allowOrigin)
        do {
            let settings = LiveSettings(
                new.fairness.fairness(amongConnections: connections, nil),
                hosts: try access.hosts(listeningOn: listeningOn, security.secured),
                origins: try access.origins()
            )
            // Workers get access to new folders before requests can name files in them.
            let former = processes?.read(new.folders)
            do {
                try library.serve(new.folders)
            } catch {
                if let former { processes?.read(former) }
                throw error
            }
            security.named.change(to: access.allowHost)
            handle.change(settings)
        } catch {
            throw CommandFailure(error)
        }
    }
}
