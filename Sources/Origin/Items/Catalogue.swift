import Foundation
import Media
import Packager
import Synchronization

/// What is known of the library's items, learnt one by one.
///
/// A look into a file is kept with the file's identity, so a file that changes is looked into again.
final class Catalogue: Sendable {
    /// What is known of an item.
    enum Knowledge: Sendable {
        /// Nobody has looked yet.
        case pending
        /// What a look showed.
        case known(ItemFacts)
        /// Why nothing can be known: a code and a sentence.
        case failed(code: String, message: String)
    }

    private struct Entry {
        var identity: FileIdentity
        var knowledge: Knowledge
    }

    /// How long a look may take; a file that needs longer is not one to wait for in a list.
    private static let lookLimit = Duration.seconds(20)

    /// What the system says when it has no room for one more open file; libav gives it with a minus sign.
    private static let scarcities = [EMFILE, ENFILE, ENOMEM]

    private let entries = Mutex<[String: Entry]>([:])
    private let looks = SingleFlight<String, Knowledge>()

    /// What is known so far, without a look.
    func knowledge(of item: LibraryItem) -> Knowledge {
        entries.withLock { $0[item.id]?.knowledge } ?? .pending
    }

    /// How many items have been looked into.
    var count: Int { entries.withLock { $0.count } }

    /// Looks into a file unless that has been done since it last changed.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - cancellation: Gives up the look; nothing is learnt then.
    /// - Returns: What is known now.
    @discardableResult
    func look(into item: LibraryItem, cancellation: Cancellation) -> Knowledge {
        guard let identity = try? FileIdentity(ofFileAt: item.filePath) else {
            forget(item)
            return .failed(code: "notFound", message: "the file is gone or cannot be read")
        }
        let known = entries.withLock { $0[item.id] }
        if let known, known.identity == identity { return known.knowledge }
        if identity.size == 0 {
            let empty = Knowledge.failed(code: "notMedia", message: "the file is empty")
            learn(empty, of: item, identity)
            return empty
        }
        let looked = try? looks.value(for: item.id, cancellation: cancellation) { work in
            Self.knowledge(lookingInto: item, cancellation: work, limit: Self.lookLimit)
        }
        guard let looked else { return .pending }
        if case .pending = looked { return .pending }
        learn(looked, of: item, identity)
        return looked
    }

    /// Keeps what a presentation showed: its duration is the true one.
    func learn(_ presentation: Presentation, of item: LibraryItem) {
        learn(.known(ItemFacts(presentation)), of: item, presentation.identity)
    }

    /// Keeps why an item cannot be presented, unless a look has shown what is in it.
    func learn(_ error: PackagingError, of item: LibraryItem, _ identity: FileIdentity) {
        entries.withLock { entries in
            if let entry = entries[item.id], entry.identity == identity, case .known = entry.knowledge { return }
            let failure = OriginFailure(error, item: item)
            entries[item.id] = Entry(
                identity: identity,
                knowledge: .failed(code: failure.code, message: failure.message)
            )
        }
    }

    /// Keeps that a file does not answer, so that nobody waits for it again until it changes.
    func giveUp(_ item: LibraryItem) {
        guard let identity = try? FileIdentity(ofFileAt: item.filePath) else { return forget(item) }
        learn(Self.tooSlow, of: item, identity)
    }

    private static let tooSlow = Knowledge.failed(code: "tooSlow", message: "the file takes too long to open")

    /// Forgets items that are no longer in the library.
    func keepOnly(_ ids: Set<String>) {
        entries.withLock { entries in entries = entries.filter { ids.contains($0.key) } }
    }

    private func forget(_ item: LibraryItem) { entries.withLock { $0[item.id] = nil } }

    private func learn(_ knowledge: Knowledge, of item: LibraryItem, _ identity: FileIdentity) {
        entries.withLock { $0[item.id] = Entry(identity: identity, knowledge: knowledge) }
    }

    private static func knowledge(
        lookingInto item: LibraryItem,
        cancellation: Cancellation,
        limit: Duration
    ) -> Knowledge {
        let limited = Cancellation(deadline: .now + limit)
        let registration = cancellation.whenCancelled { limited.cancel() }
        defer { cancellation.forget(registration) }
        do throws(MediaError) {
            return .known(try ItemFacts(lookingInto: item.filePath, cancellation: limited))
        } catch  where error.isCancelled {
            if cancellation.isCancelled { return .pending }
            return tooSlow
        } catch  where Self.scarcities.contains(where: { error.code == -$0 }) {
            return .pending
        } catch {
            return .failed(code: "notMedia", message: "it is no media that can be opened: \(error.message)")
        }
    }
}
