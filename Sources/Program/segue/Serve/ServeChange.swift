import SegueOrigin
import SegueServer
import SegueWorkers

/// Changes what a running server does to what its configuration says by now.
struct ServeChange: Sendable {
    /// What the server was started with.
    let command: ServeCommand
    let listeningOn: String
    let connections: Int
    let secured: AccessOptions.Secured?
    /// The hosts that the server's own certificate names.
    let named: NamedHosts
    let library: Library
    let processes: WorkerProcesses?
    let handle: ServerHandle

    /// Does as a command says, as far as that can be done while the server runs.
    ///
    /// - Throws: What is wrong with it; all is as it was then.
    func apply(_ new: ServeCommand) throws {
        var access = command.access
        (access.allowHost, access.allowOrigin) = (new.access.allowHost, new.access.allowOrigin)
        do {
            let settings = LiveSettings(
                new.fairness.fairness(amongConnections: connections, nil),
                hosts: try access.hosts(listeningOn: listeningOn, secured),
                origins: try access.origins()
            )
            // Before there is anything in them that somebody asks for.
            let former = processes?.read(new.folders)
            do {
                try library.serve(new.folders)
            } catch {
                if let former { processes?.read(former) }
                throw error
            }
            named.change(to: access.allowHost)
            handle.change(settings)
        } catch {
            throw CommandFailure(error)
        }
    }
}
