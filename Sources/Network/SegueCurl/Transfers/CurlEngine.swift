internal import CSegueCurl
internal import Foundation
internal import SegueBase
internal import SegueFetch

/// The thread that drives libcurl's multi handle.
///
/// Other threads only queue commands and wake it. `multi`, `transfers`, and `hosts` belong to the thread after
/// ``run()``, and `shared` is accessed only with `lock` locked, which makes the type sendable. (An `NSLock`, as
/// ThreadSanitizer does not see through `Mutex`.)
final class CurlEngine: @unchecked Sendable {
    private static let connectionsPerHost = 6
    private static let isReady = scurl_global_init() == CURLE_OK

    private enum Command {
        case start(FetchRequest)
        case cancel(FetchID)
        case hold(FetchID, Bool)
    }

    private struct Shared {
        var commands: [Command] = []
        /// The requests that may still receive events.
        var open: Set<FetchID> = []
        var isStopping = false
        /// True if the multi handle exists and can be woken.
        var hasMulti = true
    }

    private struct Host {
        var active = 0
        var waiting: [FetchRequest] = []
    }

    private let recipient: FetchRecipient
    private let lock = NSLock()
    private var shared = Shared()
    private let ended = NSCondition()
    private var hasEnded = false  // Only with `ended` locked.
    private let multi: UnsafeMutableRawPointer
    private var transfers: [FetchID: CurlTransfer] = [:]
    private var byHandle: [UnsafeMutableRawPointer: FetchID] = [:]
    private var hosts: [String: Host] = [:]

    /// The credentials by host and port.
    private var credentials: [String: FetchCredential]

    init(_ recipient: FetchRecipient, credentials: [String: FetchCredential] = [:]) throws(FetchError) {
        guard Self.isReady, let multi = curl_multi_init() else {
            throw FetchError(.other, "libcurl cannot be initialized")
        }
        self.recipient = recipient
        self.credentials = credentials
        self.multi = multi
    }

    /// Starts the thread, which keeps the engine alive until it ends.
    func run() {
        let thread = Thread { [self] in
            work()
            cleanUp()
            ended.lock()
            hasEnded = true
            ended.broadcast()
            ended.unlock()
        }
        thread.name = "segue-fetch"
        thread.start()
    }

    func start(_ request: FetchRequest) {
        recipient.beginExpecting()
        let isTaken = withShared { shared in
            guard !shared.isStopping else { return false }
            shared.open.insert(request.id)
            shared.commands.append(.start(request))
            wake(shared)
            return true
        }
        if !isTaken { recipient.endExpecting() }
    }

    func cancel(_ id: FetchID) {
        let wasOpen = withShared { shared in
            guard shared.open.remove(id) != nil else { return false }
            shared.commands.append(.cancel(id))
            wake(shared)
            return true
        }
        if wasOpen { recipient.endExpecting() }
    }

    /// Pauses or resumes the reading of a response.
    func hold(_ id: FetchID, _ isHeld: Bool) {
        withShared { shared in
            guard shared.open.contains(id) else { return }
            shared.commands.append(.hold(id, isHeld))
            wake(shared)
        }
    }

    func stop() {
        let open = withShared { shared in
            defer { shared.open = [] }
            shared.isStopping = true
            wake(shared)
            return shared.open.count
        }
        for _ in 0..<open { recipient.endExpecting() }
    }

    func join() {
        ended.lock()
        while !hasEnded { ended.wait() }
        ended.unlock()
    }

    private func withShared<Result>(_ body: (inout Shared) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&shared)
    }

    private func wake(_ shared: Shared) {
        // Fails only for an invalid handle or without descriptors; then the time limit of the poll wakes the thread.
        if shared.hasMulti { _ = curl_multi_wakeup(multi) }
    }

    // MARK: On the thread

    private func work() {
        while true {
            let (commands, isStopping) = withShared { shared in
                defer { shared.commands = [] }
                return (shared.commands, shared.isStopping)
            }
            if isStopping { return }
            for command in commands {
                switch command {
                case .start(let request): enqueue(request)
                case .cancel(let id): cancelled(id)
                case .hold(let id, let isHeld): hold(id, on: isHeld)
                }
            }
            var running: Int32 = 0
            let status = curl_multi_perform(multi, &running)
            guard status == CURLM_OK else { return failAll(status) }
            takeFinished()
            let wait = expireLate()
            let polled = curl_multi_poll(multi, nil, 0, wait, nil)
            guard polled == CURLM_OK else { return failAll(polled) }
        }
    }

    private func cleanUp() {
        withShared { $0.hasMulti = false }
        for id in Array(transfers.keys) { remove(id) }
        curl_multi_cleanup(multi)
    }

    private func enqueue(_ request: FetchRequest) {
        guard withShared({ $0.open.contains(request.id) }) else { return }
        guard let url = FetchURL(request.url) else {
            return end(request.id, FetchError(.badURL, "not an HTTP URL", at: request.url))
        }
        hosts[url.authority, default: Host()].waiting.append(request)
        serve(url.authority)
    }

    private func serve(_ authority: String) {
        while let host = hosts[authority], !host.waiting.isEmpty, host.active < Self.connectionsPerHost {
            let request = host.waiting[0]
            hosts[authority]?.waiting.removeFirst()
            guard withShared({ $0.open.contains(request.id) }) else { continue }
            do throws(FetchError) {
                var request = request
                request.credential = request.credential ?? credentials[authority]
                let transfer = try CurlTransfer(request, authority: authority) { [unowned self] event in deliver(event)
                }
                let status = curl_multi_add_handle(multi, transfer.easy)
                guard status == CURLM_OK else { throw FetchError(.other, "curl_multi_add_handle: \(text(status))") }
                transfers[request.id] = transfer
                byHandle[transfer.easy] = request.id
                hosts[authority]?.active += 1
            } catch {
                end(request.id, error)
            }
        }
        if let host = hosts[authority], host.active == 0, host.waiting.isEmpty { hosts[authority] = nil }
    }

    private func cancelled(_ id: FetchID) {
        guard let authority = remove(id) else { return }
        serve(authority)
    }

    private func hold(_ id: FetchID, on isHeld: Bool) {
        if let transfer = transfers[id] {
            if let error = transfer.hold(isHeld) { fail(id, error) }
            return
        }
        // The request may still be queued.
        for authority in hosts.keys {
            guard let index = hosts[authority]?.waiting.firstIndex(where: { $0.id == id }) else { continue }
            hosts[authority]?.waiting[index].isUnread = isHeld
        }
    }

    private func fail(_ id: FetchID, _ error: FetchError) {
        let authority = remove(id)
        end(id, error)
        if let authority { serve(authority) }
    }

    private func takeFinished() {
        var easy: UnsafeMutableRawPointer?
        var result = CURLE_OK
        while scurl_multi_next_done(multi, &easy, &result) != 0 {
            guard let handle = easy, let id = byHandle[handle], let transfer = transfers[id] else { continue }
            let failure = transfer.outcome(result)
            // From the second request on, the credential is sent without a challenge.
            if let scheme = transfer.challenge { credentials[transfer.authority]?.scheme = scheme }
            let authority = remove(id)
            end(id, failure)
            if let authority { serve(authority) }
        }
    }

    /// Fails the requests that have waited too long for a byte.
    ///
    /// - Returns: The milliseconds until the next request times out.
    private func expireLate() -> Int32 {
        let now = ContinuousClock.now
        var next = Duration.seconds(60)
        // A paused transfer has no time limit.
        for (id, transfer) in transfers where !transfer.isPaused {
            let left = transfer.lastByteAt + transfer.request.patience - now
            guard left <= .zero else {
                next = min(next, left)
                continue
            }
            fail(id, FetchError(.timedOut, "no byte for \(transfer.request.patience)", at: transfer.request.url))
            // Requests that begin now have their full time; the next iteration checks them.
            next = .zero
        }
        // Rounded up, so that the wait does not end early.
        return Int32(clamping: next.wholeNanoseconds / 1_000_000 + 1)
    }

    private func failAll(_ status: CURLMcode) {
        let error = FetchError(.other, "libcurl failed: \(text(status))")
        for id in withShared({ $0.open }) { end(id, error) }
        stop()
    }

    /// Removes a transfer; its connection closes unless the response was complete.
    @discardableResult
    private func remove(_ id: FetchID) -> String? {
        guard let transfer = transfers.removeValue(forKey: id) else { return nil }
        byHandle[transfer.easy] = nil
        // Cannot fail for an added handle outside of its callbacks.
        _ = curl_multi_remove_handle(multi, transfer.easy)
        hosts[transfer.authority]?.active -= 1
        return transfer.authority
    }

    private func deliver(_ event: FetchEvent) {
        // Delivered with the lock held, so that nothing follows a `cancel` that has returned.
        withShared { if $0.open.contains(event.id) { recipient.deliver(event) } }
    }

    private func end(_ id: FetchID, _ error: FetchError?) {
        let wasOpen = withShared { shared in
            guard shared.open.remove(id) != nil else { return false }
            recipient.deliver(error.map { .failed(id, $0) } ?? .finished(id))
            return true
        }
        if wasOpen { recipient.endExpecting() }
    }

    private func text(_ status: CURLMcode) -> String { String(cString: curl_multi_strerror(status)) }
}
