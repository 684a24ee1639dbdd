using System.Text.Json;
using System.Text.RegularExpressions;

namespace Emu.Tool.Tests;

/// <summary>
/// Checks JSON against a schema: the keywords that docs/report.schema.json uses, and a failure for any other.
/// </summary>
internal static class JsonSchema
{
    private static readonly HashSet<string> s_known =
    [
        "$schema", "title", "description", "type", "enum", "required", "properties", "patternProperties",
        "additionalProperties", "items", "minItems", "minimum", "maximum", "pattern",
    ];

    /// <summary>Fails with the path of what does not fit.</summary>
    public static void Check(JsonElement value, JsonElement schema, string path = "$")
    {
        Assert.All(schema.EnumerateObject(), keyword => Assert.Contains(keyword.Name, s_known));
        if (schema.TryGetProperty("type", out var type))
            Assert.True(
                Types(type).Contains(TypeOf(value)) || Types(type).Contains("number") && TypeOf(value) == "integer",
                $"{path} is {TypeOf(value)}, not {type}");
        if (schema.TryGetProperty("enum", out var choices))
            Assert.True(
                choices.EnumerateArray().Any(choice => JsonElement.DeepEquals(choice, value)),
                $"{path} is {value}, none of {choices}");
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                CheckObject(value, schema, path);
                break;
            case JsonValueKind.Array:
                if (schema.TryGetProperty("minItems", out var least))
                    Assert.True(
                        value.GetArrayLength() >= least.GetInt32(), $"{path} has {value.GetArrayLength()} items");
                if (schema.TryGetProperty("items", out var items))
                    foreach (var (item, i) in value.EnumerateArray().Select((item, i) => (item, i)))
                        Check(item, items, $"{path}[{i}]");
                break;
            case JsonValueKind.String:
                if (schema.TryGetProperty("pattern", out var pattern))
                    Assert.True(
                        Regex.IsMatch(value.GetString()!, pattern.GetString()!), $"{path} is '{value}', not {pattern}");
                break;
            case JsonValueKind.Number:
                if (schema.TryGetProperty("minimum", out var minimum))
                    Assert.True(value.GetDouble() >= minimum.GetDouble(), $"{path} is {value}, below {minimum}");
                if (schema.TryGetProperty("maximum", out var maximum))
                    Assert.True(value.GetDouble() <= maximum.GetDouble(), $"{path} is {value}, above {maximum}");
                break;
        }
    }

    private static void CheckObject(JsonElement value, JsonElement schema, string path)
    {
        if (schema.TryGetProperty("required", out var required))
            Assert.All(required.EnumerateArray(), name =>
                Assert.True(value.TryGetProperty(name.GetString()!, out _), $"{path} has no {name}"));
        foreach (var member in value.EnumerateObject())
        {
            if (schema.TryGetProperty("properties", out var properties)
                && properties.TryGetProperty(member.Name, out var own))
                Check(member.Value, own, $"{path}.{member.Name}");
            else if (schema.TryGetProperty("patternProperties", out var patterns)
                && patterns.EnumerateObject().FirstOrDefault(p => Regex.IsMatch(member.Name, p.Name))
                    is { Value.ValueKind: JsonValueKind.Object } matching)
                Check(member.Value, matching.Value, $"{path}.{member.Name}");
            else
                Assert.False(
                    schema.TryGetProperty("additionalProperties", out var more)
                    && more.ValueKind == JsonValueKind.False,
                    $"{path} has {member.Name}, which the schema does not know");
        }
    }

    private static string[] Types(JsonElement type) =>
        type.ValueKind == JsonValueKind.Array
            ? [.. type.EnumerateArray().Select(t => t.GetString()!)]
            : [type.GetString()!];

    private static string TypeOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.True or JsonValueKind.False => "boolean",
        JsonValueKind.Number => value.TryGetInt64(out _) ? "integer" : "number",
        var kind => kind.ToString().ToLowerInvariant(),
    };
}
