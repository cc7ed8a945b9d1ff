import Foundation
import SegueBase
import SegueOrigin

/// What those are answered who are not let in: the same whatever was asked for.
enum AccessAnswers {
    /// That a key or a password is needed.
    ///
    /// A browser that shows a page gets one to log in with. Others are told that Basic will do, but for scripts and
    /// pictures of pages: for those a browser would ask for a password over the page.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - login: The page to log in with.
    ///   - wish: The language that the address asks for.
    /// - Returns: The answer.
    static func refusal(_ request: OriginRequest, _ login: LoginPage, in wish: String?) -> OriginResponse {
        if showsPages(request) { return login.answer(to: request, in: wish, status: 401) }
        // Without TLS browsers tell a machine in the house nothing of modes, but still from which page something comes.
        let isOfPage = request.header("Sec-Fetch-Mode") != nil || request.header("Referer") != nil
        return OriginFailure(
            status: 401,
            code: "unauthorized",
            message: "a key or a password is needed here; whoever runs this server gives them out",
            headers: isOfPage ? [] : [("WWW-Authenticate", "Basic realm=\"segue\", charset=\"UTF-8\"")]
        ).response
    }

    /// Another address, asked for with GET.
    static func seeOther(_ address: String, headers: [(name: String, value: String)] = []) -> OriginResponse {
        OriginResponse(
            status: 303,
            headers: [("Location", address), ("Content-Length", "0"), ("Cache-Control", "no-store")] + headers,
            body: .bytes([])
        )
    }

    /// That a page of somebody else had a browser send what changes something.
    static let foreignPage = OriginFailure(
        status: 403,
        code: "foreignPage",
        message:
            "a page of another server asks for this; only this server's own may, and those named with --allow-origin"
    ).response

    /// Whether whoever asks shows the answer as a page.
    static func showsPages(_ request: OriginRequest) -> Bool {
        request.header("Accept")?.lowercased().contains("text/html") ?? false
    }
}
