package import SegueConcurrency
import SegueFFmpeg
package import SeguePackager
import Synchronization

/// The most recently used presentations, opened on first use.
///
/// A file that cannot be presented is remembered, too, so that it is not opened repeatedly.
package final class PresentationStore: Sendable {
    private struct Key: Hashable, Sendable {
        var identity: FileIdentity
        /// The size of a file that grows, and whether it is complete; the identity is the same for all.
        var size: Int64
        var isComplete: Bool
        var device: DeviceProfile
        /// The requested container; nil for the one that fits best.
        var container: SegmentContainer?

        init(of identity: FileIdentity, for device: DeviceProfile, in container: SegmentContainer?) {
            (self.identity, size, isComplete) = (identity, identity.size, identity.isComplete)
            (self.device, self.container) = (device, container)
            // Without a device, one presentation serves both containers.
            if device == .any { self.container = nil }
        }
    }

    private let held: Mutex<LeastRecentlyUsed<Key, Result<any Presenting, PackagingError>>>
    private let openings = SingleFlight<Key, any Presenting>()

    private let work: any FileWork

    /// - Parameters:
    ///   - limit: The maximum number of presentations.
    package init(limit: Int, work: any FileWork = OwnFileWork()) {
        held = Mutex(LeastRecentlyUsed(limit: limit))
        self.work = work
    }

    /// The number of presentations, including failures.
    var count: Int { held.withLock { $0.count } }

    /// The presentation of a file if it is open.
    func held(
        _ identity: FileIdentity,
        for device: DeviceProfile = .any,
        in container: SegmentContainer? = nil
    ) -> (any Presenting)? {
        let key = Key(of: identity, for: device, in: container)
        return try? held.withLock { $0.value(for: key) }?.get()
    }

    /// Returns the presentation of a file with an identity.
    ///
    /// - Parameters:
    ///   - container: The container; nil for the one that fits best.
    ///   - cancellation: Stops the work of this caller.
    /// - Returns: The presentation, cached or opened now; concurrent callers share one opening.
    /// - Throws: ``PackagingError``, or ``OriginFailure`` if the caller is cancelled.
    package func presentation(
        of identity: FileIdentity,
        for device: DeviceProfile = .any,
        in container: SegmentContainer? = nil,
        cancellation: Cancellation
    ) throws -> any Presenting {
        let key = Key(of: identity, for: device, in: container)
        if let result = held.withLock({ $0.value(for: key) }) { return try result.get() }
        return try openings.value(for: key, cancellation: cancellation) { work in
            // Another flight may have finished between the lookup above and the start of this one.
            if let result = self.held.withLock({ $0.value(for: key) }) { return try result.get() }
            let result = self.open(key, work)
            if Self.isLasting(result) { self.keep(result, for: key) }
            return try result.get()
        }
    }

    /// Closes the presentation of a version.
    func close(_ identity: FileIdentity, for device: DeviceProfile, in container: SegmentContainer?) {
        held.withLock { $0.remove(Key(of: identity, for: device, in: container)) }
    }

    /// Stores a result, also under the other containers that it serves.
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

    /// Returns true if another attempt would have the same result.
    private static func isLasting(_ result: Result<any Presenting, PackagingError>) -> Bool {
        guard case .failure(let error) = result else { return true }
        return ![.cancelled, .changed, .unreadable, .setAside].contains(error.reason)
    }
}
