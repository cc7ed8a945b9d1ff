struct RouteMethods: Sendable, Equatable {
    /// Methods that change nothing.
    static let reading = RouteMethods(["GET", "HEAD", "OPTIONS"])
    /// Methods that store and remove a value.
    static let changing = RouteMethods(["DELETE", "OPTIONS", "POST", "PUT"], bodyLimit: 8 << 10)

    /// The names in the order of `Allow`.
    let names: [String]
    private let limit: Int?

    /// Creates a list of methods, with the maximum length of a body in bytes, or nil if bodies are ignored.
    init(_ names: [String], bodyLimit: Int? = nil) { (self.names, limit) = (names, bodyLimit) }

    /// The value of an `Allow` header field.
    var allow: String { names.joined(separator: ", ") }

    func contains(_ method: String) -> Bool { names.contains(method) }

    /// The maximum length of a request's body in bytes, or nil if bodies of the method are ignored.
    func bodyLimit(_ method: String) -> Int? {
        (method == "POST" || method == "PUT") && contains(method) ? limit : nil
    }
}
