import Foundation
import HTTPTypes
import SegueBase
import SegueOrigin

/// The responses to requests without access, which do not depend on the requested resource.
enum AccessResponses {
    /// The response that requires a key or a password.
    ///
    /// A browser that shows a page gets a login page. Other clients get a Basic challenge, except for scripts and
    /// images of pages, for which a browser would show a password dialog over the page.
    ///
    /// - Parameters:
    ///   - wish: The language requested by the address.
    /// - Returns: The response.
    static func refusal(_ request: OriginRequest, _ login: LoginPage, in wish: String?) -> OriginResponse {
        if showsPages(request) { return login.respond(to: request, in: wish, status: 401) }
        // Without TLS browsers send no Sec-Fetch fields to local addresses, but still send the referrer.
        let isOfPage = request.headers[.secFetchMode] != nil || request.headers[.referer] != nil
        return OriginFailure(
            status: 401,
            code: "unauthorized",
            message: "a key or a password is required; ask the operator of this server for one",
            headers: isOfPage ? [:] : [.wwwAuthenticate: "Basic realm=\"segue\", charset=\"UTF-8\""]
        ).response
    }

    /// A redirect after which the client uses GET.
    static func seeOther(_ address: String, headers: HTTPFields = [:]) -> OriginResponse {
        OriginResponse(
            status: 303,
            headers: [.location: address, .contentLength: "0", .cacheControl: "no-store"] + headers,
            body: .bytes([])
        )
    }

    /// The response to a page of another origin that tries to change data.
    static let foreignPage = OriginFailure(
        status: 403,
        code: "foreignPage",
        message:
            "a page of another origin sent this request; only pages of this server and of origins named with --allow-origin may"
    ).response

    /// Returns true if the client displays the response as a page.
    static func showsPages(_ request: OriginRequest) -> Bool {
        request.headers[.accept]?.lowercased().contains("text/html") ?? false
    }
}
