using System.Reflection;
using System.Text;

namespace Emu.Compiler.Tests;

/// <summary>A call of a public member of .NET, on numbers and spans that come from the frame.</summary>
/// <param name="Type">The type that has the member, without type arguments.</param>
/// <param name="Member">The member as C# names it.</param>
/// <param name="Signature">Its parameters, with type parameters by name; a type of numbers calls itself T.</param>
/// <param name="Model">The name under which the compiler looks for a model of it.</param>
/// <param name="Body">C# that makes the arguments, calls, and keeps the result.</param>
internal sealed record DotNetCall(Type Type, string Member, string Signature, string Model, string Body)
{
    private const int Header = 14;

    private static readonly Dictionary<string, string> s_operators = new()
    {
        ["Addition"] = "+",
        ["Subtraction"] = "-",
        ["Multiply"] = "*",
        ["Division"] = "/",
        ["Modulus"] = "%",
        ["BitwiseAnd"] = "&",
        ["BitwiseOr"] = "|",
        ["ExclusiveOr"] = "^",
        ["LeftShift"] = "<<",
        ["RightShift"] = ">>",
        ["UnsignedRightShift"] = ">>>",
        ["Equality"] = "==",
        ["Inequality"] = "!=",
        ["LessThan"] = "<",
        ["GreaterThan"] = ">",
        ["LessThanOrEqual"] = "<=",
        ["GreaterThanOrEqual"] = ">=",
        ["Increment"] = "++",
        ["Decrement"] = "--",
        ["UnaryNegation"] = "-",
        ["UnaryPlus"] = "+",
        ["OnesComplement"] = "~",
    };

    /// <summary>The call of a member; null where its parameters or its result are not of the subset.</summary>
    /// <param name="method">A method, an accessor, an operator or a constructor, with type arguments.</param>
    /// <param name="definition">The same without.</param>
    public static DotNetCall? Of(MethodBase method, MethodBase definition)
    {
        var type = method.DeclaringType!;
        // C# has its own operators for these.
        if ((type == typeof(nint) || type == typeof(nuint)) && IsOperator(method)) return null;
        var parameters = method.GetParameters();
        var result = method is MethodInfo { ReturnType: var returned } ? returned : type;
        var takesSelf = !method.IsStatic && !method.IsConstructor;
        var taken = parameters.Select(p => p.ParameterType).Concat(takesSelf ? [type] : []);
        if (!taken.All(SubsetType.IsArgument) || !SubsetType.IsResult(result)) return null;

        var body = new StringBuilder();
        for (var i = 0; i < parameters.Length; i++)
            body.Append($"var a{i} = {SubsetType.Argument(parameters[i].ParameterType, i, Header)};\n");
        if (takesSelf) body.Append($"var self = {SubsetType.Argument(type, parameters.Length, Header)};\n");
        var call = Expression(method, parameters, takesSelf ? "self" : SubsetType.Name(type));
        body.Append(
            result == typeof(void) ? $"{call};\n" : $"var result = {call};\n{SubsetType.Keep("result", result)}");
        for (var i = 0; i < parameters.Length; i++)
        {
            if (parameters[i].ParameterType is { IsByRef: true } reference)
                body.Append(SubsetType.Keep($"a{i}", reference.GetElementType()!));
        }
        if (takesSelf) body.Append(SubsetType.Keep("self", type));
        return new DotNetCall(
            definition.DeclaringType!, NameOf(method), SignatureOf(definition), ModelOf(method), body.ToString());
    }

    private static string ModelOf(MethodBase method)
    {
        var type = method.DeclaringType!;
        var name = (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName;
        return $"{name}.{method.Name}/{method.GetParameters().Length}";
    }

    private static string Expression(MethodBase method, ParameterInfo[] parameters, string receiver)
    {
        var arguments = string.Join(", ", parameters.Select((p, i) => p switch
        {
            { IsOut: true } => $"out a{i}",
            { IsIn: true } => $"in a{i}",
            { ParameterType.IsByRef: true } => $"ref a{i}",
            _ => $"a{i}",
        }));
        var generic = Generic(method, SubsetType.Name);
        if (method.IsConstructor) return $"new {receiver}({arguments})";
        if (Operator(method) is { } symbol)
        {
            var operation = parameters.Length == 1 ? $"{symbol}a0" : $"a0 {symbol} a1";
            return method.Name.StartsWith("op_Checked", StringComparison.Ordinal) ? $"checked({operation})" : operation;
        }
        return method.Name switch
        {
            "op_Implicit" or "op_Explicit" => $"({SubsetType.Name(((MethodInfo)method).ReturnType)})a0",
            "op_CheckedExplicit" => $"checked(({SubsetType.Name(((MethodInfo)method).ReturnType)})a0)",
            "get_Item" => $"{receiver}[{arguments}]",
            var name when method.IsSpecialName => $"{receiver}.{name["get_".Length..]}",
            var name => $"{receiver}.{name}{generic}({arguments})",
        };
    }

    private static string? Operator(MethodBase method)
    {
        var name = method.Name.Replace("op_Checked", "op_", StringComparison.Ordinal);
        return IsOperator(method) ? s_operators.GetValueOrDefault(name["op_".Length..]) : null;
    }

    private static bool IsOperator(MethodBase method) => method.Name.StartsWith("op_", StringComparison.Ordinal);

    private static string Generic(MethodBase method, Func<Type, string> name) =>
        method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(name))}>" : "";

    private static string NameOf(MethodBase method)
    {
        var isChecked = method.Name.StartsWith("op_Checked", StringComparison.Ordinal) ? "checked " : "";
        if (method.IsConstructor) return "new";
        if (Operator(method) is { } symbol) return $"{isChecked}operator {symbol}";
        return method.Name switch
        {
            "op_Implicit" => "implicit conversion",
            "op_Explicit" or "op_CheckedExplicit" => $"{isChecked}conversion",
            "get_Item" => "this[]",
            var name when method.IsSpecialName => name["get_".Length..],
            var name => name,
        };
    }

    private static string SignatureOf(MethodBase definition)
    {
        var self = definition.DeclaringType!;
        string Text(Type type) => type == self && SubsetType.Integers.Contains(self) ? "T" : SubsetType.Text(type);
        if (definition.Name is "op_Implicit" or "op_Explicit" or "op_CheckedExplicit")
            return $"{Text(definition.GetParameters()[0].ParameterType)} → {Text(((MethodInfo)definition).ReturnType)}";
        var parameters = definition.GetParameters();
        if (definition.IsSpecialName && !definition.IsConstructor && parameters.Length == 0) return "";
        var texts = parameters.Select(p => Direction(p) + Text(p.ParameterType));
        return $"{Generic(definition, t => t.Name)}({string.Join(", ", texts)})";
    }

    private static string Direction(ParameterInfo parameter) => parameter switch
    {
        { IsOut: true } => "out ",
        { IsIn: true } => "in ",
        { ParameterType.IsByRef: true } => "ref ",
        _ => "",
    };
}
