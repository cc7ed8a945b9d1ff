import Foundation
package import SegueUPnP
import Synchronization

/// A UPnP and DLNA media server: its description, its content, and its subscribers.
package final class MediaServer: Sendable {
    /// Sends a notice to a subscriber without waiting.
    package typealias Notify = @Sendable (Subscriptions.Notice) -> Void

    private struct State {
        var trees: [[String]?: MediaTree] = [:]
        var subscriptions = Subscriptions()
        var updateID: UInt32 = 0
        /// The update ID of the last notice.
        var told: UInt32 = 0
    }

    let description: DeviceDescription
    private let notify: Notify
    private let state = Mutex(State())
    private let began = ContinuousClock.now

    /// The time for which a content tree is reused, so that paging through a list does not rebuild it.
    private static let patience = Duration.seconds(2)
    /// The maximum number of trees, one for each set of visible folders.
    private static let treeLimit = 8

    package init(_ description: DeviceDescription, notify: @escaping Notify) {
        (self.description, self.notify) = (description, notify)
    }

    /// Returns the content tree of a visitor, at most two seconds old.
    ///
    /// - Parameters:
    ///   - folders: The folders that the visitor may see; nil for all.
    /// - Returns: The tree.
    func tree(of folders: [String]?, make: () -> MediaTree) -> MediaTree {
        let now = ContinuousClock.now
        let known = state.withLock { $0.trees[folders] }
        if let known, now - known.madeAt < Self.patience { return known }
        let fresh = make()
        return state.withLock { state in
            if state.trees.count >= Self.treeLimit { state.trees = state.trees.filter { $0.key == nil } }
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

    var hasSubscribers: Bool { state.withLock { $0.subscriptions.count > 0 } }

    /// Notifies all subscribers of a new update ID, once.
    func tellAll(_ updateID: UInt32) {
        let body = Subscriptions.body([("SystemUpdateID", String(updateID))])
        let now = ContinuousClock.now - began
        let notices = state.withLock { state in
            defer { state.told = updateID }
            return state.told == updateID ? [] : state.subscriptions.notices(body, at: now)
        }
        for notice in notices { notify(notice) }
    }

    /// Begins a subscription and sends the current state.
    ///
    /// - Returns: The subscription's id.
    func subscribe(_ callback: String?, from address: String, _ body: String) throws(Subscriptions.Refusal) -> String {
        let id = "uuid:\(UUID().uuidString.lowercased())"
        let now = ContinuousClock.now - began
        let notice = try state.withLock { state throws(Subscriptions.Refusal) in
            try state.subscriptions.begin(callback: callback, from: address, id: id, body: body, at: now)
        }
        notify(notice)
        return id
    }

    func renew(_ id: String, from address: String) throws(Subscriptions.Refusal) {
        let now = ContinuousClock.now - began
        try state.withLock { state throws(Subscriptions.Refusal) in
            try state.subscriptions.renew(id, from: address, at: now)
        }
    }

    func unsubscribe(_ id: String, from address: String) throws(Subscriptions.Refusal) {
        try state.withLock { state throws(Subscriptions.Refusal) in
            try state.subscriptions.end(id, from: address)
        }
    }
}

extension MediaServer {
    /// The device for SSDP.
    ///
    /// - Parameters:
    ///   - mount: The path prefix for televisions.
    ///   - bootID: A number that increases with each start.
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
