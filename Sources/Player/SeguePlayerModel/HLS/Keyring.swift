internal import SegueBase
internal import SegueByteCoding
internal import SegueFetch

/// The keys of an item.
///
/// Each is loaded once for all segments and streams, and the latest ones are kept.
struct Keyring: Sendable {
    /// The maximum size of a key resource; a key has 16 bytes.
    static let byteLimit = 4096

    /// The maximum number of keys: an endless live stream may have a new one for each segment.
    static let mostKeys = 512

    private var known: [String: Result<[UInt8], PlaybackError>] = [:]

    /// The URLs of the known keys, in order of arrival.
    private var order: [String] = []
    private(set) var loads: [ResourceLoad] = []

    /// Returns whether a key has arrived, and requests it if not.
    mutating func has(_ url: String) -> Bool {
        if case .success = known[url] { return true }
        if known[url] == nil, !loads.contains(where: { $0.url == url }) {
            loads.append(ResourceLoad(url: url, resource: "key"))
        }
        return false
    }

    /// Returns whether a key has arrived.
    func holds(_ url: String) -> Bool { if case .success = known[url] { true } else { false } }

    /// Returns the permanent failure of a key, if any.
    func failure(_ url: String) -> PlaybackError? {
        if case .failure(let error) = known[url] { error } else { nil }
    }

    private mutating func learn(_ key: Result<[UInt8], PlaybackError>, of url: String) {
        known[url] = key
        order.append(url)
        if order.count > Keyring.mostKeys { known[order.removeFirst()] = nil }
    }

    /// Decrypts a segment or an initialization section that is encrypted as a whole.
    ///
    /// - Throws: ``PlaybackError`` if decryption fails.
    func open(_ bytes: FetchBytes, with key: SegmentKey?, from url: String) throws(PlaybackError) -> FetchBytes {
        guard let key, key.method == .whole, case .success(let secret) = known[key.url] else { return bytes }
        do {
            return FetchBytes(try BlockCipher.decrypt(bytes.bytes, key: secret, vector: key.initializationVector))
        } catch {
            throw PlaybackError(.media, code: 1, "the media cannot be decrypted: \(error): \(url)")
        }
    }

    /// The instant of the next retry, if any.
    var nextChange: Instant? { loads.compactMap(\.nextChange).min() }

    /// Begins the requests that are due.
    mutating func load(_ context: inout StepContext, request: (FetchID, String) -> FetchRequest) {
        for index in loads.indices { loads[index].load(&context, request: request) }
    }

    /// Cancels all requests.
    mutating func stop(_ context: inout StepContext) {
        for index in loads.indices { loads[index].stop(&context) }
        loads = []
    }

    func owns(_ id: FetchID) -> Bool { loads.contains { $0.transfer?.id == id } }

    /// Handles news of a request.
    mutating func receive(
        _ event: FetchEvent,
        _ context: inout StepContext
    ) {
        guard let index = loads.firstIndex(where: { $0.transfer?.id == event.id }),
            let result = loads[index].receive(event, &context)
        else { return }
        let url = loads[index].url
        switch result {
        case .success(let came) where came.bytes.count == 16:
            loads[index].finish(&context)
            loads.remove(at: index)
            learn(.success(came.bytes.bytes), of: url)
        case .success(let came):
            let error = PlaybackError(.encrypted, "the key has \(came.bytes.count) bytes, not 16: \(url)")
            fail(index, with: LoadFailure(error, nil), &context)
        case .failure(let failure):
            fail(index, with: failure, &context)
        }
    }

    private mutating func fail(_ index: Int, with failure: LoadFailure, _ context: inout StepContext) {
        guard !loads[index].fail(failure, &context) else { return }
        learn(.failure(failure.error), of: loads[index].url)
        loads.remove(at: index)
    }
}
