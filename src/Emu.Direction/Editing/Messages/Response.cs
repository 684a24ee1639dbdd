using System.Text.Json.Serialization;

namespace Emu.Direction.Editing.Messages;

/// <summary>The answer to a request.</summary>
/// <param name="Seq">Its number among the messages of the adapter.</param>
/// <param name="RequestSeq">The number of the request.</param>
/// <param name="Command">The command of the request.</param>
/// <param name="Success">True if it was done.</param>
/// <param name="Message">The reason that it was not.</param>
/// <param name="Body">The outcome, by command.</param>
internal sealed record Response(
    int Seq, [property: JsonPropertyName("request_seq")] int RequestSeq, string Command, bool Success,
    string? Message, object? Body)
{
    /// <summary>The kind of message.</summary>
    public string Type { get; } = "response";
}

/// <summary>The body of a response to a request that was not done.</summary>
/// <param name="Error">The reason, for the user.</param>
internal sealed record ErrorBody(ErrorMessage Error);

/// <summary>A message for the user.</summary>
/// <param name="Id">A number of this message among those of the adapter.</param>
/// <param name="Format">The text with places for variables.</param>
/// <param name="Variables">The variables.</param>
/// <param name="ShowUser">True if it is to be shown.</param>
internal sealed record ErrorMessage(int Id, string Format, IReadOnlyDictionary<string, string> Variables, bool ShowUser)
{
    /// <summary>A message that is shown as it is: its braces are no places.</summary>
    public static ErrorMessage Of(string text) =>
        new(1, "{text}", new Dictionary<string, string> { ["text"] = text }, ShowUser: true);
}
