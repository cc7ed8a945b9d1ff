import Foundation
package import SegueUPnP
import Synchronization

/// A server of media as televisions see it (UPnP, DLNA): what it is called, what it lists, and who wants to be told of
/// changes.
package final class MediaServer: Sendable {
    /// Sends a notice to a subscriber; does not wait for that.
    package typealias Notify = @Sendable (Subscriptions.Notice) -> Void

    private struct State {
        var trees: [[String]?: MediaTree] = [:]
        var subscriptions = Subscriptions()
        var updateID: UInt32 = 0
        /// The one that was told last.
        var told: UInt32 = 0
    }

    let description: DeviceDescription
    private let notify: Notify
    private let state = Mutex(State())
    private let began = ContinuousClock.now

    /// How long what was listed is taken to be what there is, so that paging through a list costs no more than its pages.
    private static let patience = Duration.seconds(2)
    /// The most sets of folders of which trees are kept.
    private static let mostTrees = 8

    /// A media server.
    ///
    /// - Parameters:
    ///   - description: What it is called.
    ///   - notify: Sends a notice to a subscriber.
    package init(_ description: DeviceDescription, notify: @escaping Notify) {
        (self.description, self.notify) = (description, notify)
    }

    /// What somebody may see, as it is now or was a moment ago.
    ///
    /// - Parameters:
    ///   - folders: The folders that they may see; nil for all.
    ///   - make: Makes the tree anew.
    /// - Returns: The tree.
    func tree(of folders: [String]?, make: () -> MediaTree) -> MediaTree {
        let now = ContinuousClock.now
        let known = state.withLock { $0.trees[folders] }
        if let known, now - known.madeAt < Self.patience { return known }
        let fresh = make()
        return state.withLock { state in
            if state.trees.count >= Self.mostTrees { state.trees = state.trees.filter { $0.key == nil } }
            if var same = state.trees[folders], same.signature == fresh.signature {
                same.madeAt = now
                state.trees[folders] = same
                return same
            }
            var changed = fresh
            state.updateID = state.updateID == .max ? 0 : state.updateID + 1
            changed.updateID = state.updateID
            state.trees[folders] = changed
            return changed
        }
    }

    /// Whether anybody wants to be told of changes.
    var hasSubscribers: Bool { state.withLock { $0.subscriptions.count > 0 } }

    /// Tells all who want to know that the tree of all has changed, unless that has been told.
    func tellAll(_ updateID: UInt32) {
        let body = Subscriptions.body([("SystemUpdateID", String(updateID))])
        let now = ContinuousClock.now - began
        let notices = state.withLock { state in
            defer { state.told = updateID }
            return state.told == updateID ? [] : state.subscriptions.notices(body, at: now)
        }
        for notice in notices { notify(notice) }
    }

    /// Begins a subscription, and sends what holds now.
    ///
    /// - Returns: What the subscription is called.
    func subscribe(_ callback: String?, from address: String, _ body: String) throws(Subscriptions.Refusal) -> String {
        let id = "uuid:\(UUID().uuidString.lowercased())"
        let now = ContinuousClock.now - began
        let notice = try state.withLock { state throws(Subscriptions.Refusal) in
            try state.subscriptions.begin(callback: callback, from: address, id: id, body: body, at: now)
        }
        notify(notice)
        return id
    }

    /// Has a subscription hold on.
    func renew(_ id: String, from address: String) throws(Subscriptions.Refusal) {
        let now = ContinuousClock.now - began
        try state.withLock { state throws(Subscriptions.Refusal) in
            try state.subscriptions.renew(id, from: address, at: now)
        }
    }

    /// Ends a subscription.
    func unsubscribe(_ id: String, from address: String) throws(Subscriptions.Refusal) {
        try state.withLock { state throws(Subscriptions.Refusal) in
            try state.subscriptions.end(id, from: address)
        }
    }
}

extension MediaServer {
    /// The server as SSDP tells of it.
    ///
    /// - Parameters:
    ///   - port: The port of the server.
    ///   - mount: What its paths begin with for those who are told.
    ///   - bootID: What grows each time that it starts.
    /// - Returns: The device.
    package func announced(at port: UInt16, mount: String, bootID: UInt32) -> SSDPDevice {
        SSDPDevice(
            uuid: description.uuid,
            product: description.product,
            portAndPath: ":\(port)\(mount)/dlna/device.xml",
            bootID: bootID
        )
    }
}
