import Media
import Packager
import Synchronization

/// The presentations that were used last, opened when they are first asked for.
///
/// A file that cannot be presented is remembered too, so that nobody opens it again and again.
final class PresentationStore: Sendable {
    private let held: Mutex<LeastRecentlyUsed<FileIdentity, Result<Presentation, PackagingError>>>
    private let openings = SingleFlight<FileIdentity, Presentation>()

    /// A store of so many presentations at most.
    init(limit: Int) { held = Mutex(LeastRecentlyUsed(limit: limit)) }

    /// How many presentations are held, files that failed among them.
    var count: Int { held.withLock { $0.count } }

    /// The presentation of a file, if it is open.
    func held(_ identity: FileIdentity) -> Presentation? {
        try? held.withLock { $0.value(for: identity) }?.get()
    }

    /// The presentation of a file that is as the identity says.
    ///
    /// - Parameters:
    ///   - identity: The file.
    ///   - cancellation: The caller's own.
    /// - Returns: The presentation, held or opened now; several callers wait for one opening.
    /// - Throws: ``PackagingError``, or ``OriginFailure`` when the caller was cancelled.
    func presentation(of identity: FileIdentity, cancellation: Cancellation) throws -> Presentation {
        if let result = held.withLock({ $0.value(for: identity) }) { return try result.get() }
        return try openings.value(for: identity, cancellation: cancellation) { work in
            // Another flight may have landed between the look above and this one's start.
            if let result = self.held.withLock({ $0.value(for: identity) }) { return try result.get() }
            let result = Self.open(identity, work)
            if Self.isLasting(result) { self.held.withLock { $0.insert(result, for: identity, cost: 1) } }
            return try result.get()
        }
    }

    private static func open(
        _ identity: FileIdentity,
        _ cancellation: Cancellation
    ) -> Result<Presentation, PackagingError> {
        do throws(PackagingError) {
            let presentation = try Presentation.open(path: identity.path, cancellation: cancellation)
            guard presentation.identity == identity else {
                throw PackagingError(.changed, file: identity.path, "the file changed while it was opened")
            }
            return .success(presentation)
        } catch {
            return .failure(error)
        }
    }

    /// Whether the next opening would end the same way.
    private static func isLasting(_ result: Result<Presentation, PackagingError>) -> Bool {
        guard case .failure(let error) = result else { return true }
        return ![.cancelled, .changed, .unreadable].contains(error.reason)
    }
}
