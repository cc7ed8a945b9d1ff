import SegueBase

/// The description of a service (UPnP Device Architecture 1.1, section 2.5).
package struct ServiceDescription: Sendable {
    /// The name of an action's argument and its state variable.
    typealias Argument = (name: String, variable: String)

    struct Action: Sendable {
        var name: String
        var takes: [Argument] = []
        var gives: [Argument] = []
    }

    struct Variable: Sendable {
        var name: String
        var type = "string"
        /// True if subscribers receive its changes.
        var isEvented = false
        var allowed: [String] = []
    }

    let actions: [Action]
    let variables: [Variable]

    /// The description as a document.
    package var xml: String {
        let actions = actions.map { action in
            let arguments =
                action.takes.map { argument($0, "in") } + action.gives.map { argument($0, "out") }
            let list = arguments.isEmpty ? "" : "<argumentList>\(arguments.joined())</argumentList>"
            return "<action><name>\(action.name)</name>\(list)</action>"
        }
        let variables = variables.map { variable in
            let values = variable.allowed.map { "<allowedValue>\($0)</allowedValue>" }.joined()
            return """
                <stateVariable sendEvents="\(variable.isEvented ? "yes" : "no")"><name>\(variable.name)</name>\
                <dataType>\(variable.type)</dataType>\
                \(values.isEmpty ? "" : "<allowedValueList>\(values)</allowedValueList>")</stateVariable>
                """
        }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <scpd xmlns="urn:schemas-upnp-org:service-1-0"><specVersion><major>1</major><minor>0</minor></specVersion>\
            <actionList>\(actions.joined())</actionList>\
            <serviceStateTable>\(variables.joined())</serviceStateTable></scpd>

            """
    }

    private func argument(_ argument: Argument, _ direction: String) -> String {
        """
        <argument><name>\(argument.name)</name><direction>\(direction)</direction>\
        <relatedStateVariable>\(argument.variable)</relatedStateVariable></argument>
        """
    }
}

extension ContentDirectory {
    package static let description = ServiceDescription(
        actions: [
            .init(name: "GetSearchCapabilities", gives: [("SearchCaps", "SearchCapabilities")]),
            .init(name: "GetSortCapabilities", gives: [("SortCaps", "SortCapabilities")]),
            .init(name: "GetSystemUpdateID", gives: [("Id", "SystemUpdateID")]),
            .init(
                name: "Browse",
                takes: [("ObjectID", "A_ARG_TYPE_ObjectID"), ("BrowseFlag", "A_ARG_TYPE_BrowseFlag")] + page,
                gives: list
            ),
            .init(
                name: "Search",
                takes: [("ContainerID", "A_ARG_TYPE_ObjectID"), ("SearchCriteria", "A_ARG_TYPE_SearchCriteria")] + page,
                gives: list
            ),
        ],
        variables: [
            .init(name: "A_ARG_TYPE_ObjectID"), .init(name: "A_ARG_TYPE_Result"),
            .init(name: "A_ARG_TYPE_SearchCriteria"),
            .init(name: "A_ARG_TYPE_BrowseFlag", allowed: ["BrowseMetadata", "BrowseDirectChildren"]),
            .init(name: "A_ARG_TYPE_Filter"), .init(name: "A_ARG_TYPE_SortCriteria"),
            .init(name: "A_ARG_TYPE_Index", type: "ui4"), .init(name: "A_ARG_TYPE_Count", type: "ui4"),
            .init(name: "A_ARG_TYPE_UpdateID", type: "ui4"), .init(name: "SearchCapabilities"),
            .init(name: "SortCapabilities"), .init(name: "SystemUpdateID", type: "ui4", isEvented: true),
        ]
    )

    private static let page: [ServiceDescription.Argument] = [
        ("Filter", "A_ARG_TYPE_Filter"), ("StartingIndex", "A_ARG_TYPE_Index"),
        ("RequestedCount", "A_ARG_TYPE_Count"), ("SortCriteria", "A_ARG_TYPE_SortCriteria"),
    ]

    private static let list: [ServiceDescription.Argument] = [
        ("Result", "A_ARG_TYPE_Result"), ("NumberReturned", "A_ARG_TYPE_Count"),
        ("TotalMatches", "A_ARG_TYPE_Count"), ("UpdateID", "A_ARG_TYPE_UpdateID"),
    ]
}
