using System.Text;
using System.Text.Json;

namespace Emu.Direction.Tests.Editing;

/// <summary>
/// Writes messages as constants of TypeScript, each of the type that <c>@vscode/debugprotocol</c> has for it, so that a
/// property that is missing, of another type or not known is an error.
/// </summary>
internal static class ProtocolTypes
{
    /// <summary>The source of all messages.</summary>
    public static string SourceOf(IEnumerable<string> messages)
    {
        var source = new StringBuilder("import { DebugProtocol } from '@vscode/debugprotocol';\n");
        foreach (var (i, message) in messages.Index())
        {
            using var json = JsonDocument.Parse(message);
            // Its arguments are those of the adapter, which the protocol leaves open.
            if (TypeOf(json.RootElement) == "AttachRequest") continue;
            source.AppendLine($"export const message{i}: DebugProtocol.{TypeOf(json.RootElement)} = {message};");
        }
        return source.ToString();
    }

    private static string TypeOf(JsonElement message) => message.GetProperty("type").GetString() switch
    {
        "event" => Capital(message.GetProperty("event")) + "Event",
        "response" when message.GetProperty("success").GetBoolean() =>
            Capital(message.GetProperty("command")) + "Response",
        "response" => "ErrorResponse",
        _ => Capital(message.GetProperty("command")) + "Request",
    };

    private static string Capital(JsonElement name) =>
        name.GetString() is { Length: > 0 } text ? char.ToUpperInvariant(text[0]) + text[1..] : "";
}
