using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Reflection;

namespace Emu.Hosting;

/// <summary>
/// One parameter of a service's constructor, or one property of its settings, as an option of the command line:
/// <c>ageingSeconds</c> and <c>AgeingSeconds</c> are <c>--ageing-seconds</c>.
/// </summary>
public sealed class ServiceParameter
{
    private readonly string _name;
    private readonly Type _type;
    private readonly object? _default;
    private readonly ValidationAttribute[] _ranges;

    internal ServiceParameter(ParameterInfo parameter, string description)
        : this(parameter.Name!, parameter.ParameterType, parameter, description)
    {
        IsRequired = !parameter.HasDefaultValue;
        // A struct's default shows as null in metadata.
        _default = parameter.DefaultValue is null && parameter.ParameterType.IsValueType
            && Nullable.GetUnderlyingType(parameter.ParameterType) is null
                ? Activator.CreateInstance(parameter.ParameterType)
                : parameter.DefaultValue;
        Default = parameter.HasDefaultValue ? Shown(parameter.DefaultValue) : "";
    }

    internal ServiceParameter(PropertyInfo property, object? value, string description)
        : this(property.Name, property.PropertyType, property, description)
    {
        _default = value;
        Default = value is Array ? "" : Shown(value);
    }

    private ServiceParameter(string name, Type type, ICustomAttributeProvider attributes, string description)
    {
        _name = name;
        IsMany = type.IsArray;
        var element = IsMany ? type.GetElementType()! : type;
        _type = Nullable.GetUnderlyingType(element) ?? element;
        _ranges = [.. attributes.GetCustomAttributes(typeof(ValidationAttribute), true).Cast<ValidationAttribute>()];
        Option = "--" + KebabCase(name);
        Description = description;
        Default = "";
    }

    /// <summary>The option, with its two hyphens.</summary>
    public string Option { get; }

    /// <summary>The description of the parameter in the XML documentation.</summary>
    public string Description { get; }

    /// <summary>True if the option may be given several times: the parameter is an array.</summary>
    public bool IsMany { get; }

    /// <summary>True if the option stands alone, without a value.</summary>
    public bool IsSwitch => _type == typeof(bool);

    /// <summary>True if there is no default.</summary>
    public bool IsRequired { get; }

    /// <summary>The default as a person would write it; empty when there is none worth showing.</summary>
    public string Default { get; }

    /// <summary>The name of the value in help texts: MAC, IPv4, N.</summary>
    public string ValueName =>
        _type.Name.EndsWith("Address", StringComparison.Ordinal)
        ? _type.Name[..^"Address".Length].Replace("Mac", "MAC", StringComparison.Ordinal)
        : IsNumber ? "N"
        : _type == typeof(string) ? "TEXT"
        : KebabCase(_type.Name).ToUpperInvariant();

    /// <summary>The option with its value, as it is written.</summary>
    public string Form => IsSwitch ? Option : $"{Option} {ValueName}";

    /// <summary>The description, with the values it takes, the default and whether it is required.</summary>
    public string Text => string.Join(' ', new[]
    {
        Description,
        _ranges.Length > 0 ? $"({string.Join("; ", _ranges.Select(Words))})" : "",
        IsRequired ? "(required)" : Default.Length > 0 ? $"[default: {Default}]" : "",
        IsMany ? "(may be repeated)" : "",
    }.Where(part => part.Length > 0));

    private bool IsNumber => _type.IsPrimitive && !IsSwitch || _type == typeof(UInt128);

    internal bool Names(string? parameter) => _name == parameter;

    /// <summary>The value for the constructor or the property.</summary>
    /// <param name="texts">The texts that the user gave for this option; empty when it was not given.</param>
    /// <exception cref="CommandException">A text is not a value of the parameter's type.</exception>
    internal object? Bind(IReadOnlyList<string> texts)
    {
        if (texts.Count == 0) return _default;
        if (!IsMany) return InRange(texts[^1]);
        var array = Array.CreateInstance(_type, texts.Count);
        for (var i = 0; i < texts.Count; i++) array.SetValue(InRange(texts[i]), i);
        return array;
    }

    private object InRange(string text)
    {
        var value = Convert(text);
        return _ranges.FirstOrDefault(range => !range.IsValid(value)) is { } broken
            ? throw CommandException.Usage($"{Option}: '{text}' is out of range: {Words(broken)}")
            : value;
    }

    private static string Words(ValidationAttribute range) => range switch
    {
        RangeAttribute { Maximum: int.MaxValue } open => $"{open.Minimum} or more",
        RangeAttribute closed => $"{closed.Minimum} to {closed.Maximum}",
        _ => $"{range}",
    };

    private static string Shown(object? value) => value switch
    {
        null or false => "",
        Enum member => KebabCase($"{member}"),
        _ => $"{value}",
    };

    private object Convert(string text)
    {
        try
        {
            if (_type == typeof(string)) return text;
            if (_type.IsEnum) return Named(text);
            // Names of numbers as C# writes them: a mask or a seed reads best in hexadecimal.
            if (IsNumber && text.StartsWith("0x", StringComparison.OrdinalIgnoreCase))
            {
                if (_type == typeof(UInt128))
                    return UInt128.Parse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
                return System.Convert.ChangeType(
                    ulong.Parse(text.AsSpan(2), NumberStyles.AllowHexSpecifier), _type, CultureInfo.InvariantCulture);
            }
            var parse = _type.GetInterfaceMap(typeof(IParsable<>).MakeGenericType(_type)).TargetMethods
                .First(m => m.Name.EndsWith("Parse", StringComparison.Ordinal) && m.ReturnType == _type);
            return parse.Invoke(null, [text, CultureInfo.InvariantCulture])!;
        }
        catch (Exception exception)
            when ((exception as TargetInvocationException)?.InnerException is FormatException
                    or OverflowException or ArgumentException
                || exception is ArgumentException or FormatException or OverflowException)
        {
            throw CommandException.Usage(
                $"{Option}: {Reason((exception as TargetInvocationException)?.InnerException ?? exception, text)}");
        }
    }

    /// <summary>A value of the enumeration by its name; no number, which may be of none.</summary>
    private object Named(string text) => Enum.GetValues(_type).Cast<object>().FirstOrDefault(value =>
        text.Replace("-", "", StringComparison.Ordinal).Equals($"{value}", StringComparison.OrdinalIgnoreCase))
        ?? throw new FormatException();

    private string Reason(Exception exception, string text) => exception switch
    {
        _ when _type.IsEnum => $"'{text}' is none of {string.Join(", ", Enum.GetNames(_type).Select(KebabCase))}",
        OverflowException => $"'{text}' is out of range",
        FormatException when !IsNumber && !IsSwitch => exception.Message,
        ArgumentException => $"a {_type.Name} cannot be read from '{text}'",
        _ when _type == typeof(bool) => $"'{text}' is neither true nor false",
        _ => $"'{text}' is not a whole number",
    };

    private static string KebabCase(string name) =>
        string.Concat(
            name.Select((c, i) => char.IsUpper(c) ? (i > 0 ? "-" : "") + char.ToLowerInvariant(c) : c.ToString()));
}
