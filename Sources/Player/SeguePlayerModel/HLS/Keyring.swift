internal import SegueBase
internal import SegueByteCoding
internal import SegueFetch

/// The keys of an item: each is loaded once, however many segments and streams need it, and the last ones are kept.
struct Keyring: Sendable {
    /// What a key may be at most; one has 16 bytes.
    static let byteLimit = 4096

    /// How many keys are kept: a live stream that goes on for ever may have a new one for each segment.
    static let mostKeys = 512

    private var known: [String: Result<[UInt8], PlaybackError>] = [:]

    /// The addresses of those that are known, in the order in which they came.
    private var order: [String] = []
    private(set) var loads: [ResourceLoad] = []

    /// Whether a key is there; asks for it where it is not.
    mutating func has(_ url: String) -> Bool {
        if case .success = known[url] { return true }
        if known[url] == nil, !loads.contains(where: { $0.url == url }) {
            loads.append(ResourceLoad(url: url, resource: "key"))
        }
        return false
    }

    /// Whether a key is there.
    func holds(_ url: String) -> Bool { if case .success = known[url] { true } else { false } }

    /// Why a key will never come; nil while it may.
    func failure(_ url: String) -> PlaybackError? {
        if case .failure(let error) = known[url] { error } else { nil }
    }

    private mutating func learn(_ key: Result<[UInt8], PlaybackError>, of url: String) {
        known[url] = key
        order.append(url)
        if order.count > Keyring.mostKeys { known[order.removeFirst()] = nil }
    }

    /// A segment or an initialization section, decrypted where it is encrypted as a whole.
    ///
    /// - Throws: ``PlaybackError`` when the key does not open it.
    func open(_ bytes: FetchBytes, with key: SegmentKey?, from url: String) throws(PlaybackError) -> FetchBytes {
        guard let key, key.method == .whole, case .success(let secret) = known[key.url] else { return bytes }
        do {
            return FetchBytes(try BlockCipher.decrypt(bytes.bytes, key: secret, vector: key.initializationVector))
        } catch {
            throw PlaybackError(.media, 1, "the media cannot be decrypted: \(error): \(url)")
        }
    }

    /// When a load goes on by itself.
    var nextChange: Instant? { loads.compactMap(\.nextChange).min() }

    /// Begins the requests that are to be made now.
    mutating func load(_ turn: inout Turn, request: (FetchID, String) -> FetchRequest) {
        for index in loads.indices { loads[index].load(&turn, request: request) }
    }

    /// Gives up all requests.
    mutating func stop(_ turn: inout Turn) {
        for index in loads.indices { loads[index].stop(&turn) }
        loads = []
    }

    /// Whether a request is its own.
    func owns(_ id: FetchID) -> Bool { loads.contains { $0.transfer?.id == id } }

    /// Takes in news of a request.
    mutating func receive(
        _ event: FetchEvent,
        _ turn: inout Turn
    ) {
        guard let index = loads.firstIndex(where: { $0.transfer?.id == event.id }),
            let result = loads[index].receive(event, &turn)
        else { return }
        let url = loads[index].url
        switch result {
        case .success(let came) where came.bytes.count == 16:
            loads[index].finish(&turn)
            loads.remove(at: index)
            learn(.success(came.bytes.bytes), of: url)
        case .success(let came):
            let error = PlaybackError(.encrypted, "the key has \(came.bytes.count) bytes, not 16: \(url)")
            fail(index, LoadFailure(error, nil), &turn)
        case .failure(let failure):
            fail(index, failure, &turn)
        }
    }

    private mutating func fail(
        _ index: Int,
        _ failure: LoadFailure,
        _ turn: inout Turn
    ) {
        guard !loads[index].fail(failure, &turn) else { return }
        learn(.failure(failure.error), of: loads[index].url)
        loads.remove(at: index)
    }
}
