package import SegueConcurrency
import SegueFFmpeg
package import SeguePackager
import Synchronization

/// The presentations that were used last, opened when they are first asked for.
///
/// A file that cannot be presented is remembered too, so that nobody opens it again and again.
package final class PresentationStore: Sendable {
    /// A file as one device is given it.
    private struct Key: Hashable, Sendable {
        var identity: FileIdentity
        var device: DeviceProfile
        /// The container that is asked for; nil for the one that fits best.
        var container: SegmentContainer?
    }

    private let held: Mutex<LeastRecentlyUsed<Key, Result<any Presenting, PackagingError>>>
    private let openings = SingleFlight<Key, any Presenting>()

    private let work: any FileWork

    /// A store of so many presentations at most.
    ///
    /// - Parameters:
    ///   - limit: How many.
    ///   - work: Opens files.
    package init(limit: Int, work: any FileWork = OwnFileWork()) {
        held = Mutex(LeastRecentlyUsed(limit: limit))
        self.work = work
    }

    /// How many presentations are held, files that failed among them.
    var count: Int { held.withLock { $0.count } }

    /// The presentation of a file, if it is open.
    func held(
        _ identity: FileIdentity,
        for device: DeviceProfile = .any,
        in container: SegmentContainer? = nil
    ) -> (any Presenting)? {
        let key = Key(identity: identity, device: device, container: device == .any ? nil : container)
        return try? held.withLock { $0.value(for: key) }?.get()
    }

    /// The presentation of a file that is as the identity says.
    ///
    /// - Parameters:
    ///   - identity: The file.
    ///   - device: Who it is for.
    ///   - container: The container that is wanted; nil for the one that fits best.
    ///   - cancellation: The caller's own.
    /// - Returns: The presentation, held or opened now; several callers wait for one opening.
    /// - Throws: ``PackagingError``, or ``OriginFailure`` when the caller was cancelled.
    package func presentation(
        of identity: FileIdentity,
        for device: DeviceProfile = .any,
        in container: SegmentContainer? = nil,
        cancellation: Cancellation
    ) throws -> any Presenting {
        // For any player there is one for both containers.
        let key = Key(identity: identity, device: device, container: device == .any ? nil : container)
        if let result = held.withLock({ $0.value(for: key) }) { return try result.get() }
        return try openings.value(for: key, cancellation: cancellation) { work in
            // Another flight may have landed between the look above and this one's start.
            if let result = self.held.withLock({ $0.value(for: key) }) { return try result.get() }
            let result = self.open(key, work)
            if Self.isLasting(result) { self.keep(result, for: key) }
            return try result.get()
        }
    }

    /// Keeps what was opened, also under the containers that it turned out to serve.
    private func keep(_ result: Result<any Presenting, PackagingError>, for key: Key) {
        held.withLock { held in
            held.insert(result, for: key, cost: 1)
            guard key.device != .any, case .success(let presentation) = result else { return }
            for container in presentation.containers where container != key.container {
                var other = key
                other.container = container
                held.insert(result, for: other, cost: 0)
            }
        }
    }

    private func open(_ key: Key, _ cancellation: Cancellation) -> Result<any Presenting, PackagingError> {
        do throws(PackagingError) {
            return .success(
                try work.open(key.identity, for: key.device, in: key.container, cancellation: cancellation)
            )
        } catch {
            return .failure(error)
        }
    }

    /// Whether the next opening would end the same way.
    private static func isLasting(_ result: Result<any Presenting, PackagingError>) -> Bool {
        guard case .failure(let error) = result else { return true }
        return ![.cancelled, .changed, .unreadable, .setAside].contains(error.reason)
    }
}
