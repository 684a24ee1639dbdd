using System.Diagnostics;
using System.Globalization;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

/// <summary>
/// Text of the clock level: strings are literals, and what is made of them and of numbers, to be printed by a
/// simulation.
/// </summary>
internal sealed partial class Translator
{
    private const int MostDigits = 60, MostFlags = 8;

    /// <summary>A call that makes text or prints it; false for others.</summary>
    private bool TryCallOfText(MethodBase method, AbstractValue[] arguments, out AbstractValue? result)
    {
        result = null;
        var type = method.DeclaringType!;
        if (type == typeof(Console)) Print(method, arguments);
        else if (type == typeof(Debug) || type == typeof(Trace)) Assert(method, arguments);
        else if (type == typeof(DefaultInterpolatedStringHandler)) result = Interpolate(method, arguments);
        else if (type == typeof(Array) && method.Name == nameof(Array.Empty))
            result = method.GetGenericArguments()[0] is { IsValueType: true }
                ? new Reference(method.Invoke(null, null))
                : new ArgumentList([]);
        else if (type == typeof(string)) return TryCallOfString(method, arguments, out result);
        else if (method.Name == nameof(ToString) && arguments is [Boxed { Value: Struct made, Type: var boxed }])
            result = TextOf(made, boxed);
        else if (method.Name == nameof(ToString) && NumberOfText(arguments[0]) is { } number)
            result = new TextValue(
                PartsOf(number.Value, number.Type, 0, arguments.Length > 1 ? FormatOf(arguments[1]) : ""));
        else return false;
        return true;
    }

    /// <summary>The text of an object or a struct: its own, or that of .NET, which is the name of its type.</summary>
    private AbstractValue TextOf(AbstractValue value, Type type)
    {
        var method = Implementation(typeof(object).GetMethod(nameof(ToString))!, type);
        if (IsNameOfType(method)) return new Reference(type.ToString());
        var receiver = value;
        if (value is Struct)
        {
            var slot = new Slot($"a {type.Name}");
            _builder.Write(slot, value);
            receiver = new Pointer(new LocalLocation(slot, type, []));
        }
        return Inline(method, [receiver]) is { } made and not Scalar
            ? made
            : throw RefuseText($"is made of a {type.Name}");
    }

    /// <summary>True for the text that .NET makes of what has none of its own.</summary>
    private static bool IsNameOfType(MethodBase method) =>
        method.Name == nameof(ToString)
        && (method.DeclaringType == typeof(object) || method.DeclaringType == typeof(ValueType));

    private static Type? TypeOfReceiver(AbstractValue receiver) => receiver switch
    {
        Reference { IsKnown: true, Target: { } target } => target.GetType(),
        Boxed box => box.Type,
        Pointer { Target.Type: { IsValueType: true } type } => type,
        _ => null,
    };

    private (AbstractValue Value, Type Type)? NumberOfText(AbstractValue receiver) => receiver switch
    {
        Boxed { Type: var type } box when Types.Width(type) is not null => (box.Value, type),
        Pointer { Target: { Type: var type } place } when Types.Width(type) is not null =>
            (_storage.Load(place), type),
        _ => null,
    };

    private bool TryCallOfString(MethodBase method, AbstractValue[] arguments, out AbstractValue? result)
    {
        result = null;
        switch (method.Name)
        {
            case nameof(string.Concat):
                result = new TextValue([.. arguments.SelectMany(PartsOf)]);
                return true;
            case nameof(string.Format):
                if (arguments[0] is Reference { IsKnown: true, Target: null or IFormatProvider })
                    arguments = arguments[1..];
                result = new TextValue(Formatted(arguments));
                return true;
            case "op_Implicit" or nameof(ToString) when arguments.Length == 1:
                result = arguments[0];
                return true;
            case "get_Length" when arguments[0] is Reference { IsKnown: true, Target: string known }:
                result = new Scalar(SsaBuilder.Constant(32, (UInt128)known.Length));
                return true;
            case "get_Chars" when arguments[0] is Reference { IsKnown: true, Target: string known }:
                var place = Element(new Reference(_state.Characters(known)), NumberOf(arguments[1]), typeof(char));
                result = _builder.Current is null ? Storage.Default(typeof(char)) : _storage.Load(place);
                return true;
            default:
                return false;
        }
    }

    /// <summary><c>Console.Write</c> and <c>WriteLine</c>.</summary>
    private void Print(MethodBase method, AbstractValue[] arguments)
    {
        if (method.Name is not (nameof(Console.Write) or nameof(Console.WriteLine)))
            throw Refuse(
                DiagnosticNumber.ClockedMember, $"Console.{method.Name} does not compile; only what prints does");
        var parameters = method.GetParameters();
        List<(TextPart, Value?)> parts =
        [
            .. parameters.Length switch
            {
                0 => [],
                1 => PartsOf(arguments[0], parameters[0].ParameterType, 0, ""),
                _ => Formatted(arguments),
            },
        ];
        if (method.Name == nameof(Console.WriteLine)) parts.Add((new LiteralText("\n"), null));
        Print(parts);
    }

    private void Print(IEnumerable<(TextPart Part, Value? Number)> parts)
    {
        var joined = new List<(TextPart Part, Value? Number)>();
        foreach (var (part, number) in parts)
        {
            if (part is LiteralText now && joined is [.., ({ } last, _)] && last is LiteralText before)
                joined[^1] = (new LiteralText(before.Text + now.Text), null);
            else joined.Add((part, number));
        }
        if (joined.Count == 0) return;
        _builder.Add(new Operation(Opcode.Print, 1, joined.Select(part => part.Number).OfType<Value>())
        {
            Text = [.. joined.Select(part => part.Part)],
            Location = _builder.Location,
        });
    }

    /// <summary>
    /// An assertion: where it does not hold, a simulation says so and goes on. <c>Debug.WriteLine</c> is for a
    /// debugger, and prints nothing on .NET either.
    /// </summary>
    private void Assert(MethodBase method, AbstractValue[] arguments)
    {
        var isFailure = method.Name == nameof(Debug.Fail);
        if (method.Name != nameof(Debug.Assert) && !isFailure) return;
        var (failed, next) = (_builder.NewBlock(), _builder.NewBlock());
        if (isFailure) _builder.Jump(failed);
        else _builder.Branch(_builder.Not(IsTrue(arguments[0])), failed, next);
        _builder.Seal(failed);
        _builder.Current = failed.Predecessors.Count > 0 ? failed : null;
        if (_builder.Current is not null)
        {
            var location = _builder.Location!;
            var where = location.Line > 0
                ? $"{Path.GetFileName(location.File)}:{location.Line}"
                : location.Method;
            var message = arguments.Skip(isFailure ? 0 : 1).Take(1).SelectMany(PartsOf).ToList();
            Print(
            [
                (new LiteralText($"Assertion failed at {where}{(message.Count > 0 ? ": " : "")}"), null), .. message,
                (new LiteralText("\n"), null),
            ]);
        }
        _builder.Jump(next);
        _builder.Seal(next);
        _builder.Current = next.Predecessors.Count > 0 ? next : null;
    }

    private Value IsTrue(AbstractValue condition) =>
        NumberOf(condition) is var number && number.Width == 1
            ? number
            : _builder.Not(
                _builder.Emit(Opcode.Equal, 1, number, SsaBuilder.Constant(number.Width, 0)));

    /// <summary>The calls that the C# compiler makes of <c>$"…"</c>.</summary>
    private TextValue? Interpolate(MethodBase method, AbstractValue[] arguments)
    {
        // A constructor that is called as an expression has no receiver.
        if (method.IsConstructor)
        {
            if (method.GetParameters().Length != 2) throw RefuseText("is interpolated in a way that does not print");
            if (arguments.Length == 2) return new TextValue([]);
            _storage.Store(((Pointer)arguments[0]).Target, new TextValue([]));
            return null;
        }
        var place = ((Pointer)arguments[0]).Target;
        if (_builder.Current is null) return method.Name.StartsWith("To", StringComparison.Ordinal) ? Nothing() : null;
        var text = (TextValue)_storage.Load(place);
        switch (method.Name)
        {
            case nameof(DefaultInterpolatedStringHandler.ToStringAndClear):
                return text;
            case nameof(DefaultInterpolatedStringHandler.AppendLiteral):
                _storage.Store(place, new TextValue([.. text.Parts, .. PartsOf(arguments[1])]));
                return null;
            case nameof(DefaultInterpolatedStringHandler.AppendFormatted):
                var parameters = method.GetParameters();
                var (alignment, format) = (0, "");
                for (var i = 1; i < parameters.Length; i++)
                {
                    if (parameters[i].ParameterType == typeof(int)) alignment = ConstantOf(arguments[i + 1]);
                    else format = FormatOf(arguments[i + 1]);
                }
                var parts = PartsOf(arguments[1], parameters[0].ParameterType, alignment, format);
                _storage.Store(place, new TextValue([.. text.Parts, .. parts]));
                return null;
            default:
                throw RefuseText("is interpolated in a way that does not print");
        }

        static TextValue Nothing() => new([]);
    }

    private int ConstantOf(AbstractValue value) =>
        value is Scalar { Value: Constant { Bits: var bits, Width: var width } }
            ? (int)Arithmetic.ToSigned(bits, width)
            : throw RefuseText("has an alignment that is computed");

    private string FormatOf(AbstractValue format) =>
        format is Reference { IsKnown: true, Target: var known and (null or string) }
            ? (string?)known ?? ""
            : throw RefuseText("has a format that is computed");

    /// <summary>A format with its arguments, of which there may be a list.</summary>
    private List<(TextPart, Value?)> Formatted(AbstractValue[] arguments)
    {
        var items = CompositeFormat.Parse(FormatOf(arguments[0]))
            ?? throw RefuseText("has a format that .NET refuses");
        var values = arguments is [_, ArgumentList { Items: var list }] ? list
            : arguments is [_, SpanValue span] ? Elements(span)
            : arguments[1..];
        var parts = new List<(TextPart, Value?)>();
        foreach (var item in items)
        {
            if (item.Index is not { } index) parts.Add((new LiteralText(item.Text), null));
            else if (index >= values.Length) throw RefuseText("has a format with too few arguments");
            else parts.AddRange(PartsOf(values[index], typeof(object), item.Alignment, item.Format));
        }
        return parts;
    }

    /// <summary>The elements of a span over a local array.</summary>
    private AbstractValue[] Elements(SpanValue span) =>
        span is { Local: { } local, Start: Constant { Bits: var start }, Length: Constant { Bits: var length } }
            ? [
                .. Enumerable.Range((int)start, (int)length).Select(i => _storage.Load(
                    local.At(i, local.ElementType, []))),
            ]
            : span.IsDefault ? [] : throw RefuseText("has arguments that are not known one by one");

    /// <summary>An item of a list of strings or objects, if the index is inside.</summary>
    private AbstractValue ItemOf(ArgumentList list, Value index)
    {
        var length = SsaBuilder.Constant(index.Width, (UInt128)list.Items.Length);
        _builder.Require(_builder.Emit(Opcode.LessUnsigned, 1, index, length), FaultKind.IndexOutOfRange);
        if (index is Constant { Bits: var at } && at < (uint)list.Items.Length) return list.Items[(int)at];
        var candidates = list.Items.Select(item => (item as Reference)?.Target).ToList();
        return list.Items.All(item => item is Reference { IsKnown: true }) && candidates.Count > 0
            ? new Reference(candidates, index)
            : throw RefuseText("is taken out of a list that is not known");
    }

    private void Fill(ArgumentList list, Value index, AbstractValue? value)
    {
        if (index is not Constant { Bits: var at } || at >= (uint)list.Items.Length || value is null)
            throw RefuseText("is put into a list that is not known item by item");
        list.Items[(int)at] = value;
    }

    private List<(TextPart, Value?)> PartsOf(AbstractValue value) => PartsOf(value, typeof(object), 0, "");

    /// <summary>A value as text.</summary>
    /// <param name="value">The value.</param>
    /// <param name="type">Its type, if it is a number.</param>
    /// <param name="alignment">The least number of characters; below 0 for blanks behind it.</param>
    /// <param name="format">How a number is written; empty for the usual way.</param>
    private List<(TextPart, Value?)> PartsOf(AbstractValue value, Type type, int alignment, string format)
    {
        switch (value)
        {
            case TextValue text when alignment == 0:
                return [.. text.Parts];
            case ArgumentList list:
                return [.. list.Items.SelectMany(PartsOf)];
            case Boxed box:
                return PartsOf(box.Value, box.Type, alignment, format);
            case SpanValue { Local.ElementType: var element } span when element == typeof(char):
                return [.. Elements(span).SelectMany(character => PartsOf(character, typeof(char), alignment, ""))];
            case SpanValue span:
                return [.. Elements(span).SelectMany(PartsOf)];
            case Reference reference when reference.Candidates.All(candidate => candidate is null or string):
                var choices = reference.Candidates.Select(candidate =>
                    ChoiceText.Aligned((string?)candidate ?? "", alignment)).ToList();
                return choices is [var only]
                    ? [(new LiteralText(only), null)]
                    : [(new ChoiceText(choices), reference.Selector)];
            case Scalar { Value: var number } when Types.Width(type) is { } width:
                return [PartOf(_builder.Resize(number, width), type, alignment, format)];
            case Struct when type.IsValueType && type != typeof(ValueType):
                return PartsOf(TextOf(value, type), typeof(string), alignment, "");
            case Reference { IsKnown: true, Target: { } target } reference:
                return PartsOf(TextOf(reference, target.GetType()), typeof(string), alignment, "");
            default:
                throw RefuseText(alignment == 0
                    ? "is made of something that is no number and no literal"
                    : "is aligned that is made of several parts");
        }
    }

    private (TextPart, Value?) PartOf(Value number, Type type, int alignment, string format)
    {
        if (type == typeof(bool))
            return (new ChoiceText(
                [ChoiceText.Aligned(bool.FalseString, alignment), ChoiceText.Aligned(bool.TrueString, alignment)]),
                number);
        if (type == typeof(char) && alignment == 0) return (new CharacterText(), number);
        if (type == typeof(char)) throw RefuseText("shows a Char with an alignment; show its number");
        if (type.IsEnum) return (EnumerationText(type, alignment, format), number);
        var digits = 0;
        var isKnown = format.Length == 0 || format[0] is 'D' or 'd' or 'X' or 'x' or 'G' or 'g'
            && (format.Length == 1 || format[0] is not ('G' or 'g') && int.TryParse(
                format.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out digits));
        if (!isKnown || digits > MostDigits || Math.Abs(alignment) > MostDigits || number.Width > 64)
            throw RefuseText(
                $"shows a number as '{format}'; D, X and x with up to {MostDigits} digits are there");
        var letters = format.Length > 0 && format[0] is 'X' or 'x' ? format[0] : (char?)null;
        return (new NumberText(IsSigned(type), digits, alignment, letters), number);
    }

    private static bool IsSigned(Type type) =>
        Type.GetTypeCode(type) is TypeCode.SByte or TypeCode.Int16 or TypeCode.Int32 or TypeCode.Int64
        || type == typeof(nint);

    /// <summary>A value of an enumeration: its name, those of its flags, or its number.</summary>
    private TextPart EnumerationText(Type type, int alignment, string format)
    {
        var number = new NumberText(IsSigned(type), 0, alignment, null);
        if (Math.Abs(alignment) > MostDigits) throw RefuseText($"is aligned to more than {MostDigits} characters");
        switch (format)
        {
            case "D" or "d":
                return number;
            case "X" or "x":
                return number with { Digits = Types.Width(type)!.Value / 4, HexLetters = 'X' };
            case "" or "G" or "g" or "F" or "f":
                var hasFlags = format is "F" or "f" || type.IsDefined(typeof(FlagsAttribute));
                return new NamesText(NamesOf(type, hasFlags, format.Length == 0 ? "G" : format, alignment), number);
            default:
                throw RefuseText($"shows a {type.Name} as '{format}'; G, F, D and X are there");
        }
    }

    /// <summary>The names as .NET gives them: of each value, or of each set of flags.</summary>
    private Dictionary<UInt128, string> NamesOf(Type type, bool hasFlags, string format, int alignment)
    {
        var mask = (ulong)Arithmetic.Mask(Types.Width(type)!.Value);
        var named = Enum.GetValuesAsUnderlyingType(type).Cast<IConvertible>()
            .Select(value => mask & (value is ulong large ? large : (ulong)value.ToInt64(null))).ToHashSet();
        if (hasFlags) named = [.. Subsets(type, named.Aggregate(0UL, (all, flags) => all | flags)).Order()];
        return named.ToDictionary(
            value => (UInt128)value,
            value => ChoiceText.Aligned(Enum.Format(type, Enum.ToObject(type, value), format), alignment));
    }

    private HashSet<ulong> Subsets(Type type, ulong flags)
    {
        if (BitOperations.PopCount(flags) > MostFlags)
            throw RefuseText($"shows {type.Name}, which has more than {MostFlags} flags; show its number");
        var subsets = new HashSet<ulong>();
        // The subsets of a mask, each from the one before.
        for (var subset = flags; subsets.Add(subset); subset = (subset - 1) & flags)
        {
        }
        return subsets;
    }

    private CompileException RefuseText(string why) =>
        Refuse(DiagnosticNumber.PrintedText, $"text {why}; print literals, numbers, and what is made of them");
}
