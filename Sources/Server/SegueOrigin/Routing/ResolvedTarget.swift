/// A request target with its route.
struct ResolvedTarget: Sendable {
    let target: RequestTarget
    /// The route and the values in the path; nil if the server has no such resource.
    let route: (route: Route, match: Route.Match)?

    /// - Throws: ``OriginFailure`` with 400 or 414 for a malformed target.
    init(_ text: String) throws(OriginFailure) {
        target = try RequestTarget(text)
        route = RouteTable.match(target.components)
    }
}

extension OriginRequest {
    private var route: Route? { (try? resolved.get())?.route?.route }

    /// The name of the route, or nil if the server has no such resource.
    package var routeName: RouteName? { route?.name }

    /// The maximum length of the body in bytes, or nil if the body is ignored.
    package var bodyLimit: Int? { route?.methods.bodyLimit(method) }

    /// True if the route requires no key.
    package var isForEveryone: Bool { route?.access == .everyone }

    /// True if the path contains the id of an item.
    package var namesItem: Bool { (try? resolved.get())?.route?.match.itemID != nil }

    /// True if the response lists items.
    package var listsItems: Bool { route?.listsItems ?? false }
}
